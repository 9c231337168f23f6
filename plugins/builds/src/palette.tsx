import {
  RiArrowGoBackLine,
  RiPlayLine,
  RiRestartLine,
  RiStopCircleLine,
} from '@remixicon/react';
import type {
  ActionResult,
  PaletteItem,
  PaletteSource,
  SourceContext,
} from '@slipway/app-react';
import {
  type BuildRef,
  buildsApiRef,
  type JobSummary,
  type QueueItem,
} from './api/BuildsApi';
import { isRunnable } from './api/types';
import { buildParams, buildRouteRef, jobParams, jobRouteRef } from './routes';
import { buildsTranslationRef, type Translate } from './translation';

/**
 * Maximum number of builds of each job that the palette finds; older ones are rarely
 * searched.
 */
const MAX_BUILDS = 5;

/** Palette source for jobs, their last builds, and running them. */
export function buildsPalette(context: SourceContext): PaletteSource {
  const { api, href, texts } = context;
  /** The jobs that were listed last. */
  let jobNames: ReadonlySet<string> = new Set();
  const pageOf = (build: BuildRef) => href(buildRouteRef, buildParams(build));

  /** Returns the result of queueing a build; undo removes it from the queue until it starts. */
  const queued = (item: QueueItem, t: Translate): ActionResult => {
    const build = { job: item.task.name, number: item.buildNumber };
    const page = pageOf(build);
    return {
      title: t('palette.queued', { build: nameOf(build) }),
      ...(page && { link: { label: t('palette.view'), href: page } }),
      async undo() {
        const client = api(buildsApiRef);
        const waiting = await client.getQueue();
        await (waiting.some(({ id }) => id === item.id)
          ? client.cancelItem(item.id)
          : client.stopBuild(build));
      },
    };
  };

  const rebuild = (
    build: BuildRef,
    words: Pick<PaletteItem, 'id' | 'title' | 'detail' | 'icon'>,
    { t, confirm }: { t: Translate; confirm?: { text: string; label: string } },
  ): PaletteItem => ({
    ...words,
    kind: t('palette.action'),
    act: {
      type: 'run',
      ...(confirm && { confirm: { ...confirm, title: `${words.title}?` } }),
      run: async () => queued(await api(buildsApiRef).rebuild(build), t),
    },
  });

  return {
    // Only the newest builds are listed, but all jobs.
    isGone(id) {
      const [, job] =
        /^job:(.+)$/.exec(id) ?? /^build:(.+) #\d+$/.exec(id) ?? [];
      return job !== undefined && !jobNames.has(job);
    },

    async list(call) {
      const [jobs, t] = await Promise.all([
        api(buildsApiRef).getJobs(call),
        texts(buildsTranslationRef),
      ]);
      jobNames = new Set(jobs.map(({ name }) => name));
      return jobs.flatMap(job => [
        ...jobItems(job, t),
        ...job.recentBuilds
          .slice(0, MAX_BUILDS)
          .flatMap(build => buildItems(job, build, t)),
      ]);
    },

    async actionsFor(subject, call) {
      const own = buildOf(subject.page);
      const before = subject.before && buildOf(subject.before.build);
      const build = subject.kind === 'build' ? own : undefined;
      const job = (build ?? before)?.job;
      if (job === undefined) {
        return [];
      }
      const [{ triggerable }, t] = await Promise.all([
        api(buildsApiRef).getJob(job, call),
        texts(buildsTranslationRef),
      ]);
      if (!triggerable) {
        return [];
      }
      return [
        ...(build
          ? [
              rebuild(
                build,
                {
                  id: `rebuild:${nameOf(build)}`,
                  title: t('palette.rebuild', { build: nameOf(build) }),
                  detail: t('build.rebuildHint'),
                  icon: <RiRestartLine />,
                },
                { t },
              ),
            ]
          : []),
        ...(before && subject.before && subject.failed
          ? [
              rebuild(
                before,
                {
                  id: `rollback:${nameOf(before)}`,
                  title: t('palette.rollBack', {
                    version: subject.before.title,
                  }),
                  icon: <RiArrowGoBackLine />,
                },
                {
                  t,
                  confirm: {
                    text: t('palette.rollBackText', { build: nameOf(before) }),
                    label: t('palette.rollBackLabel'),
                  },
                },
              ),
            ]
          : []),
      ];
    },
  };

  function jobItems(job: JobSummary, t: Translate): PaletteItem[] {
    const { name, description } = job;
    const page = href(jobRouteRef, jobParams(name));
    return [
      ...(page
        ? [
            {
              id: `job:${name}`,
              title: name,
              kind: t('palette.job'),
              detail: description ?? undefined,
              act: { type: 'open' as const, href: page },
            },
          ]
        : []),
      ...(isRunnable(job)
        ? [
            {
              id: `run:${name}`,
              title: t('palette.run', { job: name }),
              kind: t('palette.action'),
              keywords: [t('palette.runKeywords')],
              icon: <RiPlayLine />,
              act: runOf(job, t),
            },
          ]
        : []),
    ];
  }

  /** Opens the run dialog if the job has parameters; otherwise runs it immediately. */
  function runOf({ name, parameterDefinitions }: JobSummary, t: Translate) {
    return parameterDefinitions.length > 0
      ? ({ type: 'dialog', dialog: 'run', input: name } as const)
      : ({
          type: 'run',
          run: async () => queued(await api(buildsApiRef).runJob(name, {}), t),
        } as const);
  }

  function buildItems(
    { name: job, triggerable }: JobSummary,
    {
      number,
      building,
      result,
      reason,
      cause,
    }: JobSummary['recentBuilds'][number],
    t: Translate,
  ): PaletteItem[] {
    const build = { job, number };
    const page = pageOf(build);
    const title = nameOf(build);
    return [
      ...(page
        ? [
            {
              id: `build:${title}`,
              title,
              kind: t('palette.build'),
              detail: [
                t(result ? `result.${result}` : 'result.running'),
                reason ?? cause,
              ]
                .filter(Boolean)
                .join(' · '),
              act: { type: 'open' as const, href: page },
            },
          ]
        : []),
      ...(building && triggerable
        ? [
            {
              id: `stop:${title}`,
              title: t('palette.stop', { build: title }),
              kind: t('palette.action'),
              icon: <RiStopCircleLine />,
              act: {
                type: 'run' as const,
                confirm: {
                  title: t('build.stopTitle', { job, number: String(number) }),
                  text: t('build.stopText'),
                  label: t('build.stop'),
                  isDestructive: true,
                },
                async run() {
                  await api(buildsApiRef).stopBuild(build);
                  return { title: t('palette.stopping', { build: title }) };
                },
              },
            },
          ]
        : []),
    ];
  }
}

function nameOf({ job, number }: BuildRef): string {
  return `${job} #${number}`;
}

/** Parses the build from a page's path, e.g. `/builds/hello/3`. */
function buildOf(page: string): BuildRef | undefined {
  const match = /^\/builds\/([^/?]+)\/(\d+)(?:[?#]|$)/.exec(page);
  return match
    ? { job: decodeURIComponent(match[1]), number: Number(match[2]) }
    : undefined;
}
