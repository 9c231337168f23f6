import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { Finding, ImportReport } from '../../api/transfer';
import { describeChange } from '../../components/describeChange';
import { flagsTranslationRef } from '../../translation';
import styles from '../AccessPage.module.css';

/** Maximum number of names in a line, or of flags whose changes are listed. */
const MAX_SHOWN = 50;

/** The changes of an import, made or planned, or the errors that prevent it. */
export function ImportSummary({ report }: { report: ImportReport }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { errors, warnings, changes } = report;
  const updated = changes.updated.map(({ name }) => name);
  const lines = [
    ['transfer.created', changes.created],
    ['transfer.updated', updated],
    ['transfer.unchanged', changes.unchanged],
    ['transfer.segments', changes.segments],
    ['transfer.environments', changes.environments],
    ['transfer.projects', changes.projects],
    ['transfer.contextFields', changes.contextFields],
  ] as const;
  return (
    <>
      {errors.length > 0 ? (
        <p role="alert" className={styles.text}>
          {t('transfer.refused')}
        </p>
      ) : (
        <ul className={styles.findings}>
          {lines
            .filter(([, names]) => names.length > 0)
            .map(([key, names]) => (
              <li key={key}>
                {t(key, { count: names.length })}
                {key === 'transfer.updated' ? (
                  <UpdatedFlags updated={changes.updated} />
                ) : (
                  <span className={styles.quiet}>
                    <Names names={names} />
                  </span>
                )}
              </li>
            ))}
        </ul>
      )}
      <Findings title={t('transfer.errors')} findings={errors} />
      <Findings title={t('transfer.warnings')} findings={warnings} />
    </>
  );
}

/** Shows names after a colon; of a long list, only the first ones. */
function Names({ names }: { names: readonly string[] }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const count = names.length - MAX_SHOWN;
  return (
    names.length > 0 && (
      <>
        {`: ${names.slice(0, MAX_SHOWN).join(', ')}`}
        {count > 0 && ` ${t('transfer.more', { count })}`}
      </>
    )
  );
}

/** No names of segments by id: reports contain the names instead of ids. */
const NO_IDS: ReadonlyMap<number, string> = new Map();

/** Lists the changed flags, with each changed field before and after. */
function UpdatedFlags(props: { updated: ImportReport['changes']['updated'] }) {
  const { updated } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const count = updated.length - MAX_SHOWN;
  return (
    <ul className={styles.findings}>
      {updated.slice(0, MAX_SHOWN).map(({ name, fields }) => {
        const [from, to] = (['from', 'to'] as const).map(side =>
          Object.fromEntries(fields.map(each => [each.field, each[side]])),
        );
        return (
          <li key={name}>
            {name}
            {describeChange(from, to, NO_IDS).map(change => (
              <div key={change.field} className={styles.quiet}>
                {t('history.change', { ...change })}
              </div>
            ))}
          </li>
        );
      })}
      {count > 0 && <li>{t('transfer.more', { count })}</li>}
    </ul>
  );
}

function Findings(props: { title: string; findings: readonly Finding[] }) {
  const { title, findings } = props;
  return (
    findings.length > 0 && (
      <section aria-label={title}>
        <strong>{title}</strong>
        <ul className={styles.findings}>
          {findings.map(({ message, affectedItems }, index) => (
            <li key={index}>
              {message}
              <Names names={affectedItems} />
            </li>
          ))}
        </ul>
      </section>
    )
  );
}
