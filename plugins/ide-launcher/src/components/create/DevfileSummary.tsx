import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Text } from '@backstage/ui';
import type { DevfilePreview } from '@slipway/plugin-ide-launcher-common';
import { ideLauncherTranslationRef } from '../../translation';
import styles from './DevfilePreviewPanel.module.css';

/** What a valid devfile holds, in a few lines. */
export function DevfileSummary(props: {
  devfile: NonNullable<DevfilePreview['devfile']>;
}) {
  const { devfile } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const facts = [
    { label: t('preview.projects'), values: devfile.projects },
    {
      label: t('preview.components'),
      values: devfile.components.map(({ name, type }) => `${name} (${type})`),
    },
    {
      label: t('preview.commands'),
      values: devfile.commands.map(command => command.label),
    },
    {
      label: t('preview.endpoints'),
      values: devfile.endpoints.map(
        ({ name, targetPort }) => `${name} (${targetPort})`,
      ),
    },
  ].filter(({ values }) => values.length > 0);
  const name = devfile.version
    ? `${devfile.name} ${devfile.version}`
    : devfile.name;
  return (
    <section className={styles.summary} aria-label={t('preview.label')}>
      <Text as="p" weight="bold">
        {t('preview.valid', { name })}
      </Text>
      <Text as="p" variant="body-small" color="secondary">
        {t('preview.schema', { version: devfile.schemaVersion })}
        {devfile.description && ` · ${devfile.description}`}
      </Text>
      {facts.length > 0 && (
        <dl className={styles.facts}>
          {facts.map(({ label, values }) => (
            <Fact key={label} label={label} values={values} />
          ))}
        </dl>
      )}
    </section>
  );
}

function Fact(props: { label: string; values: string[] }) {
  return (
    <>
      <dt>{props.label}</dt>
      <dd>{props.values.join(', ')}</dd>
    </>
  );
}
