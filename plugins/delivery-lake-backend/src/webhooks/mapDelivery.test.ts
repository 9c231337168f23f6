import deployment from './__fixtures__/gitlab/deployment.json';
import giteaIssue from './__fixtures__/gitea/issues.json';
import giteaRelease from './__fixtures__/gitea/release.json';
import { eventsOf, mapPayload } from './__testUtils__/mapping';
import { foldDeployment } from '../events/foldRecords';
import { DeploymentEvent, digestEvent } from '../events/LakeEvent';
import { example } from './github/__testUtils__/examples';

describe('deliveries of a connected repository', () => {
  const repository = 'Codertocat/hello-world';
  const map = (payload: object, context?: Record<string, string>) =>
    eventsOf(
      mapPayload({
        channel: 'github',
        type: 'deployment',
        body: payload,
        context,
      }),
    )[0];

  it('have ids of their own, because forges number deployments on each instance', () => {
    const payload = example('deployment', () => true);
    expect(map(payload).externalId).toBe('145988746');
    expect(map(payload, { repository }).externalId).toBe(
      'codertocat/hello-world:145988746',
    );
    const gitlab = mapPayload({
      channel: 'gitlab',
      type: 'deployment hook',
      body: deployment,
      context: { repository: deployment.project.path_with_namespace },
    });
    expect(eventsOf(gitlab)[0].externalId).toBe('shop/backend/cart:315');
    const { full_name } = giteaRelease.repository;
    const gitea = mapPayload({
      channel: 'gitea',
      type: 'release',
      body: giteaRelease,
      context: { repository: full_name },
    });
    expect(eventsOf(gitea)[0].externalId).toBe(
      `${full_name}:release-${giteaRelease.release.id}`,
    );
  });

  it('report on the service of that repository alone', () => {
    const payload = example('deployment', () => true);
    Object.assign(payload.deployment as object, {
      payload: { service: 'till', component: 'till', version: '1.2' },
    });
    expect(map(payload)).toMatchObject({ service: 'till', version: '1.2' });
    const event = map(payload, { repository }) as DeploymentEvent;
    expect(event.service).toBeUndefined();
    expect(foldDeployment([digestEvent(event)])).toMatchObject({
      service: 'Codertocat/Hello-World',
      version: '1.2',
    });
  });

  it('have the same ids at the common webhook, which may name their service', () => {
    const payload = example('deployment', () => true);
    Object.assign(payload.deployment as object, {
      payload: { service: 'till' },
    });
    expect(map(payload, { connected: repository })).toMatchObject({
      externalId: 'codertocat/hello-world:145988746',
      service: 'till',
    });
  });

  const incidentAbout = (cause: string) => {
    const body = {
      ...giteaIssue,
      issue: {
        ...giteaIssue.issue,
        body: `Deployment: ${cause}`,
        labels: [{ name: 'incident' }],
      },
    };
    return {
      full_name: body.repository.full_name,
      number: body.issue.number,
      link: (context?: Record<string, string>) =>
        eventsOf(
          mapPayload({ channel: 'gitea', type: 'issues', body, context }),
        )[0],
    };
  };

  it('link incidents to its own deployments', () => {
    const { full_name, number, link } = incidentAbout('release-17');
    expect(link()).toMatchObject({
      deployment: { externalId: 'release-17' },
    });
    expect(link({ repository: full_name })).toMatchObject({
      externalId: `${full_name}#${number}`,
      deployment: { source: 'gitea', externalId: `${full_name}:release-17` },
    });
    expect(link({ connected: full_name })).toMatchObject({
      deployment: { externalId: `${full_name}:release-17` },
    });
  });

  it('link incidents by ids of the lake to its own component', () => {
    const id = 'deploy-0199c0de-0000-7000-8000-000000000000';
    const { full_name, link } = incidentAbout(id);
    expect(link()).toMatchObject({ deployment: { id } });
    expect(link({ repository: full_name })).toMatchObject({
      deployment: { id, isOwn: true },
    });
  });

  it('keep an incident whatever its text names', () => {
    const { full_name, link } = incidentAbout('x'.repeat(255));
    expect(link({ repository: full_name })).toMatchObject({ deployment: null });
  });
});
