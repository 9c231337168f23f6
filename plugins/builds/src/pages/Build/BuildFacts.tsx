import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Details,
  formatDuration,
  Panel,
  RelativeTime,
} from '@slipway/design-system';
import type { BuildDetails } from '../../api/types';
import { BuildDuration } from '../../components/BuildDuration';
import { buildsTranslationRef } from '../../translation';
import { Commit } from './Commit';

/** Shorter waits are how a queue works, and nothing to tell. */
const NOTABLE_MS = 2_000;

/** What a build is of, and with which parameters. */
export function BuildFacts(props: {
  details: BuildDetails;
  repository: string | null | undefined;
}) {
  const { details, repository } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const { cause, reason, revision, ref, parameters, timestamp } = details;
  const waited = timestamp - details.queuedAt;
  const given = Object.entries(parameters);
  return (
    <>
      <Panel title={t('build.facts')}>
        <Details
          items={[
            ...(reason ? [{ label: t('build.reason'), value: reason }] : []),
            { label: t('build.cause'), value: cause },
            {
              label: t('build.started'),
              value: <RelativeTime value={new Date(timestamp).toISOString()} />,
            },
            {
              label: t('build.duration'),
              value: <BuildDuration build={details} />,
            },
            ...(waited >= NOTABLE_MS
              ? [{ label: t('build.waited'), value: formatDuration(waited) }]
              : []),
            ...(revision
              ? [
                  {
                    label: t('build.revision'),
                    value: <Commit id={revision} repository={repository} />,
                  },
                ]
              : []),
            ...(ref
              ? [
                  {
                    label: t('build.ref'),
                    value: (
                      <span title={ref}>
                        {ref.replace(/^refs\/(?:heads|tags)\//, '')}
                      </span>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </Panel>
      {given.length > 0 && (
        <Panel title={t('build.parameters')}>
          <Details
            items={given.map(([name, value]) => ({
              label: name,
              value: <code>{value}</code>,
            }))}
          />
        </Panel>
      )}
    </>
  );
}
