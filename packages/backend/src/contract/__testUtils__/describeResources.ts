import type { ContractPortal } from './ContractPortal';
import { expectLimitHeaders, expectRefusal } from './expectations';
import type { Issuer } from './Issuer';
import { DORA, ENTITIES, HISTORY, LOCATIONS, WORKSPACES } from './routes';
import type { RunningPortal } from './RunningPortal';
import { TOKENS } from './tokens';

/** Defines tests of the responses of group A to permitted callers. */
// eslint-disable-next-line jest/no-export -- contract.test.ts runs it.
export function describeResources(running: () => RunningPortal): void {
  let portal: ContractPortal;
  let issuer: Issuer;
  const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
  const DATE = /^\d{4}-\d\d-\d\d$/;

  const { service } = TOKENS;

  beforeAll(() => {
    ({ portal, issuer } = running());
  });

  describe.each([WORKSPACES, LOCATIONS])('POST %s', path => {
    const post = (body: unknown, contentType?: string) =>
      portal.ask(path, { method: 'POST', token: service, body, contentType });

    it.each([
      ['malformed JSON', '{"a":', undefined],
      ['another media type', 'a=1', 'application/x-www-form-urlencoded'],
      ['no fields', {}, undefined],
      ['an array', [], undefined],
      ['null', 'null', undefined],
      ['an unknown character set', '{}', 'application/json; charset=klingon'],
    ])('refuses %s', async (_, body, contentType) => {
      const answer = await post(body, contentType);
      expectRefusal(answer, 400);
      expectLimitHeaders(answer);
    });

    it('rejects more than 1 MiB', async () => {
      const answer = await post(`"${'x'.repeat(1_048_576)}"`);
      expectRefusal(answer, 413);
      expectLimitHeaders(answer);
    });
  });

  describe('workspaces', () => {
    const create = (body: object, token: string = service) =>
      portal.ask(WORKSPACES, { method: 'POST', token, body });
    const devfileUrl = () => `${portal.forge}/devfile.yaml`;

    it('are created, listed and deleted', async () => {
      const created = await create({ devfileUrl: devfileUrl(), name: 'one' });
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({
        workspaceId: expect.stringMatching(/^workspace-/),
        name: 'one',
        status: 'Starting',
        ideUrl: expect.stringMatching(/^http/),
        devfile: { name: expect.any(String), version: expect.any(String) },
      });
      expectLimitHeaders(created);

      const twice = await create({ devfileUrl: devfileUrl(), name: 'one' });
      expectRefusal(twice, 409);

      const list = await portal.ask(WORKSPACES, { token: service });
      const { workspaces, total } = list.body as {
        workspaces: Array<Record<string, unknown>>;
        total: number;
      };
      expect(total).toBe(1);
      expect(workspaces[0]).toMatchObject({
        name: 'one',
        createdAt: expect.stringMatching(TIMESTAMP),
        lastUsed: expect.stringMatching(TIMESTAMP),
      });

      const target = `${WORKSPACES}/${workspaces[0].workspaceId}`;
      const other = await issuer.token('somebody-else');
      expectRefusal(
        await portal.ask(target, { method: 'DELETE', token: other }),
        404,
      );
      const deleted = await portal.ask(target, {
        method: 'DELETE',
        token: service,
      });
      expect(deleted.status).toBe(204);
      expect(deleted.body).toBe('');
      expectLimitHeaders(deleted);
      expectRefusal(
        await portal.ask(target, { method: 'DELETE', token: service }),
        404,
      );
    });

    it.each([
      [{ devfileUrl: 'http://localhost/devfile.yaml' }, /https/i],
      [{ devfileUrl: 5 }, /devfileUrl/],
      [{}, /devfileUrl is required/],
      [{ devfileUrl: 'https://elsewhere.example.org/devfile.yaml' }, /./],
    ])('are not created from %j', async (body, message) => {
      expect(expectRefusal(await create(body), 400)).toMatch(message);
    });

    it('cannot be listed by an unknown status', async () => {
      const token = service;
      const known = await portal.ask(`${WORKSPACES}?status=Stopped`, { token });
      expect(known.body).toEqual({ workspaces: [], total: 0 });
      expectRefusal(
        await portal.ask(`${WORKSPACES}?status=Lost`, { token }),
        400,
      );
    });
  });

  describe('delivery', () => {
    it('returns the metrics of a period', async () => {
      const answer = await portal.ask(`${DORA}?team=payments`, {
        token: service,
      });
      expect(answer.status).toBe(200);
      const metric = {
        value: expect.any(Number),
        unit: expect.any(String),
        trend: expect.stringMatching(/^(increasing|stable|decreasing)$/),
        performance: expect.stringMatching(/^(elite|high|medium|low)$/),
      };
      expect(answer.body).toMatchObject({
        project: 'all',
        team: 'payments',
        period: {
          startDate: expect.stringMatching(DATE),
          endDate: expect.stringMatching(DATE),
        },
        metrics: {
          deploymentFrequency: metric,
          leadTimeForChanges: metric,
          changeFailureRate: metric,
          timeToRestoreService: metric,
        },
      });
    });

    it('returns the history of a service', async () => {
      const answer = await portal.ask(`${HISTORY}?service=shop`, {
        token: service,
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        service: 'shop',
        deployments: [],
        total: 0,
      });
    });

    it.each([
      `${DORA}?startDate=yesterday`,
      `${DORA}?startDate=2026-02-02&endDate=2026-01-01`,
      HISTORY,
      `${HISTORY}?service=shop&environment=moon`,
      `${HISTORY}?service=shop&limit=0`,
      `${HISTORY}?service=shop&limit=101`,
      `${HISTORY}?service=shop&limit=many`,
    ])('refuses %s', async path => {
      const answer = await portal.ask(path, { token: service });
      expectRefusal(answer, 400);
      expectLimitHeaders(answer);
    });
  });

  describe('the catalog', () => {
    const register = (body: object, token: string = TOKENS.catalogOnly) =>
      portal.ask(LOCATIONS, { method: 'POST', token, body });
    const descriptor = (name: string) =>
      `${portal.forge}/descriptors/${name}.yaml`;
    const find = async (name: string) => {
      const filter = `kind=component,metadata.name=${name}`;
      const { body } = await portal.ask(`${ENTITIES}?filter=${filter}`, {
        token: TOKENS.catalogOnly,
      });
      return body as unknown[];
    };

    it('registers a location once, and an entity from one location', async () => {
      const target = descriptor('good');
      const created = await register({ type: 'url', target });
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({
        locationId: expect.any(String),
        type: 'url',
        target,
        status: 'processing',
      });
      expectLimitHeaders(created);
      expectRefusal(await register({ type: 'url', target }), 409);

      await vi.waitFor(
        async () => expect(await find('registered')).toHaveLength(1),
        {
          timeout: 60_000,
          interval: 500,
        },
      );
      const [entity] = await find('registered');
      expect(entity).toMatchObject({
        apiVersion: 'backstage.io/v1alpha1',
        kind: 'Component',
        metadata: { name: 'registered', description: expect.any(String) },
        spec: { type: 'service', lifecycle: 'experimental' },
      });
      const copy = await register({ type: 'url', target: descriptor('copy') });
      expect(expectRefusal(copy, 409)).toContain(
        'component:default/registered',
      );
    });

    it('rejects descriptors that are invalid or unreadable', async () => {
      const nameless = await register({
        type: 'url',
        target: descriptor('nameless'),
      });
      expect(expectRefusal(nameless, 400)).toBe('metadata.name is required');
      const missing = await register({
        type: 'url',
        target: descriptor('missing'),
      });
      expect(expectRefusal(missing, 400)).toContain('cannot be read');
      const foreign = 'https://elsewhere.example.org/x.yaml';
      expectRefusal(await register({ type: 'url', target: foreign }), 400);
    });

    it('registers only files in the configured directory', async () => {
      const target = `${portal.folder}/local.yaml`;
      const created = await register({ type: 'file', target });
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({ type: 'file', target });
      const outside = await register({ type: 'file', target: '/etc/hostname' });
      expect(expectRefusal(outside, 400)).toContain('outside the folders');
    });

    it('selects fields', async () => {
      const path = `${ENTITIES}?filter=kind=user&fields=kind,metadata.name`;
      const answer = await portal.ask(path, { token: service });
      expect(answer.body).toEqual(
        expect.arrayContaining([{ kind: 'User', metadata: { name: 'ada' } }]),
      );
      expectRefusal(
        await portal.ask(`${ENTITIES}?filter==x`, { token: service }),
        400,
      );
    });
  });
}
