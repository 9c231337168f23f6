import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import {
  type DataColumn,
  formatBrief,
  RelativeTime,
  Sparkline,
  StatusBadge,
} from '@slipway/design-system';
import type { ListedFlag } from '../api/flags';
import type { Stage } from '../api/lifecycle';
import type { Environment, Project } from '../api/registers';
import type { UsagePoint } from '../api/usage';
import type { FlagUser } from '../api/user';
import { EnvironmentSwitch } from '../components/EnvironmentSwitch';
import { FlagMarks, FlagTypeName } from '../components/FlagState';
import { mayChangeIn } from '../queries/access';
import { useLinks } from '../routes';
import { flagsTranslationRef, type Translate } from '../translation';
import { isOverdue, tagText } from './filterFlags';
import styles from './ListPage.module.css';

/** Columns of the list of flags, including one for each environment; the name gets the remaining width. */
export function flagColumns(
  t: Translate,
  options: {
    links: ReturnType<typeof useLinks>;
    environments: readonly Environment[];
    /** Evaluations of the last 24 hours by flag name; undefined until they are known. */
    usage: ReadonlyMap<string, readonly UsagePoint[]> | undefined;
    /** The stages by flag name; undefined until they are known. */
    stages: ReadonlyMap<string, Stage> | undefined;
    user: FlagUser | undefined;
    projects: readonly Project[];
    /** Returns the title of the owner of a project. */
    ownerTitle(owner: string): string;
    /** The column with the components of each flag, in a list of several components. */
    component?: DataColumn<ListedFlag>;
  },
): DataColumn<ListedFlag>[] {
  const { links, environments, usage, stages, user, component } = options;
  const { projects, ownerTitle } = options;
  const owners = new Map(projects.map(({ id, owner }) => [id, owner]));
  return [
    {
      id: 'name',
      label: t('list.name'),
      text: ({ name }) => name,
      sortBy: ({ name }) => name,
      cell: flag => (
        <span className={styles.name}>
          <span className={styles.badges}>
            <Link href={links.flag(flag.name)}>{flag.name}</Link>
            <FlagMarks flag={flag} />
            {isOverdue(flag) && (
              <StatusBadge tone="warning" label={t('list.overdue')} />
            )}
          </span>
          {flag.description && (
            <span className={styles.quiet}>{flag.description}</span>
          )}
          {flag.tags.length > 0 && (
            <span className={styles.quiet}>
              {flag.tags.map(tagText).join(', ')}
            </span>
          )}
        </span>
      ),
    },
    ...(component ? [component] : []),
    ...environments.map(({ name, type }, index): DataColumn<ListedFlag> => ({
      id: `environment:${name}`,
      label: name,
      width: 112,
      // Phones only show production and the last environment.
      ...(index < environments.length - 1 &&
        type !== 'production' && { from: 'sm' as const }),
      csv: flag => {
        const found = flag.environments.find(each => each.name === name);
        return found && t(found.enabled ? 'state.on' : 'state.off');
      },
      cell: flag => (
        <StateIn
          flag={flag}
          environment={name}
          mayChange={user !== undefined && mayChangeIn(user, flag.project)}
        />
      ),
    })),
    {
      id: 'type',
      label: t('list.type'),
      width: 120,
      from: 'md',
      sortBy: ({ type }) => type,
      cell: ({ type }) => <FlagTypeName type={type} />,
    },
    {
      id: 'stage',
      label: t('list.stage'),
      width: 104,
      from: 'lg',
      csv: ({ name }) => {
        const stage = stages?.get(name);
        return stage && t(`stage.${stage}`);
      },
      cell: ({ name }) => {
        const stage = stages?.get(name);
        return stage ? t(`stage.${stage}`) : null;
      },
    },
    {
      id: 'owner',
      label: t('list.owner'),
      width: 128,
      from: 'lg',
      // There is no room for it next to the column of components.
      ...(component && { isExtra: true }),
      csv: ({ project }) => owners.get(project),
      sortBy: ({ project }) => {
        const owner = owners.get(project);
        return owner && ownerTitle(owner);
      },
      cell: ({ project }) => {
        const owner = owners.get(project);
        return owner ? <span title={owner}>{ownerTitle(owner)}</span> : '–';
      },
    },
    {
      id: 'usage',
      label: t('list.usage'),
      width: 180,
      from: 'md',
      cell: ({ name }) => (
        <RecentUsage points={usage && (usage.get(name) ?? [])} />
      ),
    },
    {
      id: 'updated',
      label: t('list.updated'),
      width: 128,
      from: 'lg',
      ...(component && { isExtra: true }),
      sortBy: ({ updatedAt }) => updatedAt,
      cell: ({ updatedAt }) => <RelativeTime value={updatedAt} />,
    },
  ];
}

/** The state of a flag in one environment, with a switch for users who may change it. */
function StateIn(props: {
  flag: ListedFlag;
  environment: string;
  mayChange: boolean;
}) {
  const { flag, environment: name, mayChange } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const environment = flag.environments.find(each => each.name === name);
  if (!environment) {
    return null;
  }
  const { enabled, problems } = environment;
  return (
    <span className={styles.badges}>
      {mayChange && !flag.archived ? (
        <EnvironmentSwitch flag={flag} environment={environment} isCompact />
      ) : (
        <StatusBadge
          tone={enabled ? 'success' : 'neutral'}
          label={t(enabled ? 'state.on' : 'state.off')}
        />
      )}
      {problems && (
        <StatusBadge
          tone="warning"
          label={t('state.problems', { count: problems.length })}
        />
      )}
    </span>
  );
}

/** The number of evaluations of a flag in the last 24 hours. */
function RecentUsage(props: {
  /** Undefined while loading. */
  points: readonly UsagePoint[] | undefined;
}) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { points } = props;
  if (!points) {
    return null;
  }
  const totals = points.map(({ yes, no }) => yes + no);
  const total = totals.reduce((sum, count) => sum + count, 0);
  if (total === 0) {
    return <span className={styles.quiet}>{t('usage.none')}</span>;
  }
  return (
    <span className={styles.usage}>
      <span className={styles.spark}>
        <Sparkline values={totals} />
      </span>
      {formatBrief(total)}
    </span>
  );
}
