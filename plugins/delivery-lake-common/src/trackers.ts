/** Annotation of Backstage's PagerDuty plugin: the id of the component's service in PagerDuty. */
const PAGERDUTY_SERVICE = 'pagerduty.com/service-id';

/** Annotations of Backstage's Jira plugins; those of the second one begin with `jira.com`. */
const JIRA_PROJECT = 'jira/project-key';
const JIRA_PROJECTS = [JIRA_PROJECT, 'jira.com/project-key'];
const JIRA_COMPONENTS = ['jira/component', 'jira.com/components'];
const JIRA_LABELS = ['jira/label'];

/** Returns the lake's name of a service in PagerDuty that no component claims. */
export function pagerdutyService(id: string): string {
  return `pagerduty:${id}`;
}

/**
 * Returns the lake's name of a project in Jira that no component claims, or of a part of it.
 *
 * @param part - a component or a label of the project.
 */
export function jiraService(
  project: string,
  part?: { component: string } | { label: string },
): string {
  const name = `jira:${project}`;
  if (part === undefined) {
    return name;
  }
  return 'component' in part
    ? `${name}/${part.component}`
    : `${name}#${part.label}`;
}

/** Returns the names of services in trackers that a component claims by its annotations. */
export function claimedInTrackers(
  annotations: Readonly<Record<string, string>>,
): string[] {
  const valuesOf = (keys: readonly string[]) =>
    keys
      .flatMap(key => annotations[key]?.split(',') ?? [])
      .map(value => value.trim())
      .filter(Boolean);
  const parts = [
    ...valuesOf(JIRA_COMPONENTS).map(component => ({ component })),
    ...valuesOf(JIRA_LABELS).map(label => ({ label })),
  ];
  return [
    ...valuesOf([PAGERDUTY_SERVICE]).map(pagerdutyService),
    ...valuesOf(JIRA_PROJECTS).flatMap(project =>
      parts.length === 0
        ? [jiraService(project)]
        : parts.map(part => jiraService(project, part)),
    ),
  ];
}

/** An annotation of a component. */
export interface Annotation {
  name: string;
  value: string;
}

/** Returns the annotation that claims a service of a tracker; undefined for any other name. */
export function trackerAnnotation(service: string): Annotation | undefined {
  const [, tracker, value] = /^(pagerduty|jira):(.+)$/.exec(service) ?? [];
  return value === undefined
    ? undefined
    : {
        name: tracker === 'jira' ? JIRA_PROJECT : PAGERDUTY_SERVICE,
        value,
      };
}
