import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Checkbox, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { Details, RelativeTime, SidePanel } from '@slipway/design-system';
import { Link } from 'react-router-dom';
import type { Definition, DefinitionKind } from '../api/EventsApi';
import { addressOf } from '../insights/savedQuery';
import { formatCount } from '../insights/valueNames';
import { cellText } from '../pages/displayText';
import { useAnswer } from '../queries';
import { textLiteral } from '../filters/propertyFilters';
import { analyticsTranslationRef } from '../translation';
import { useChangeDefinition } from './definitionQueries';
import styles from '../analytics.module.css';

const EXAMPLES = 5;

/** Shows an event or property, and edits its notes. */
export function DefinitionPanel(props: {
  projectId: string;
  kind: DefinitionKind;
  definition: Definition;
  onClose(): void;
}) {
  const { projectId, kind, definition, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { name, created_at: first, last_seen_at: last } = definition;
  const type = definition.property_type;
  return (
    <SidePanel title={name} onClose={onClose}>
      <div className={styles.stack}>
        <Details
          items={[
            ...(kind === 'event'
              ? []
              : [
                  {
                    label: t('definitions.type'),
                    value: type
                      ? t(`definitions.types.${type}`)
                      : t('definitions.noType'),
                  },
                ]),
            {
              label: t('definitions.volume'),
              value: formatCount(definition.volume_30_day),
            },
            {
              label: t('people.firstSeen'),
              value: <RelativeTime value={first} />,
            },
            {
              label: t('people.lastSeen'),
              value: <RelativeTime value={last} />,
            },
            {
              label: t('definitions.uses'),
              value:
                definition.used_by_insights === 0
                  ? t('definitions.unused')
                  : formatCount(definition.used_by_insights),
            },
          ]}
        />
        {kind === 'event' ? (
          <Link
            to={addressOf(
              {
                kind: 'TrendsQuery',
                series: [{ kind: 'EventsNode', event: name }],
                dateRange: { date_from: '-30d' },
              },
              { project: projectId },
            )}
          >
            {t('definitions.trend')}
          </Link>
        ) : (
          <Examples projectId={projectId} kind={kind} name={name} />
        )}
        <NotesForm key={definition.id} {...props} />
      </div>
    </SidePanel>
  );
}

/**
 * Shows the most frequent values of a property. They are queried, not stored, so that nothing
 * remains of deleted users; a project that hides who did something refuses personal ones.
 */
function Examples(props: {
  projectId: string;
  kind: DefinitionKind;
  name: string;
}) {
  const { projectId, kind, name } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const property = `${kind === 'person' ? 'person.' : ''}properties[${textLiteral(name)}]`;
  const { data } = useAnswer(projectId, {
    select: [property, 'count()'],
    where: [`${property} is not null`],
    after: '-30d',
    limit: EXAMPLES,
  });
  if (!data || data.rows.length === 0) {
    return null;
  }
  return (
    <section aria-label={t('definitions.examples')}>
      <h3 className={styles.heading}>{t('definitions.examples')}</h3>
      <ul className={styles.links}>
        {data.rows.map(([value, count]) => (
          <li key={String(value)}>
            <span className={styles.value}>{cellText(value)}</span>
            <span className={styles.quiet}>{formatCount(Number(count))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NotesForm(props: {
  projectId: string;
  kind: DefinitionKind;
  definition: Definition;
}) {
  const { projectId, kind, definition } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { id } = definition;
  const [description, setDescription] = useState(definition.description);
  const [owner, setOwner] = useState(definition.owner ?? '');
  const { mutate, error, isPending } = useChangeDefinition(projectId, kind);
  return (
    <form
      className={styles.stack}
      onSubmit={event => {
        event.preventDefault();
        mutate({ id, notes: { description, owner } });
      }}
    >
      {error && (
        <SendFailure title={t('definitions.saveFailed')} error={error} />
      )}
      <TextField
        label={t('definitions.description')}
        value={description}
        onChange={setDescription}
        maxLength={2_000}
      />
      <TextField
        label={t('definitions.owner')}
        description={t('definitions.ownerHelp')}
        value={owner}
        onChange={setOwner}
        maxLength={255}
      />
      <Checkbox
        isSelected={definition.verified}
        isDisabled={isPending}
        onChange={verified => mutate({ id, notes: { verified } })}
      >
        {t('definitions.isVerified')}
      </Checkbox>
      <Checkbox
        isSelected={definition.hidden}
        isDisabled={isPending}
        onChange={hidden => mutate({ id, notes: { hidden } })}
      >
        {t('definitions.isHidden')}
      </Checkbox>
      <div className={styles.actions}>
        <Button
          size="small"
          variant="primary"
          type="submit"
          isPending={isPending}
        >
          {t('definitions.save')}
        </Button>
      </div>
    </form>
  );
}
