import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Details, Panel, RelativeTime } from '@slipway/design-system';
import type { BuildDetails } from '../../api/types';
import { BuildDuration } from '../../components/BuildDuration';
import { buildsTranslationRef } from '../../translation';

/** What a build is of, and with which parameters. */
export function BuildFacts({ details }: { details: BuildDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { cause, reason, revision, ref, parameters, timestamp } = details;
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
            ...(revision
              ? [
                  {
                    label: t('build.revision'),
                    value: (
                      <code title={revision}>{revision.slice(0, 12)}</code>
                    ),
                  },
                ]
              : []),
            ...(ref ? [{ label: t('build.ref'), value: ref }] : []),
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
