import { useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, DialogBody, DialogFooter } from '@backstage/ui';
import { SendFailure, useServiceChange } from '@slipway/app-react';
import {
  DialogForm,
  OpenDialog,
  Panel,
  saveFile,
} from '@slipway/design-system';
import { flagsApiRef } from '../api/FlagsApi';
import type { Finding, FlagExport, ImportReport } from '../api/transfer';
import { useMayChange } from '../queries/access';
import { flagsTranslationRef } from '../translation';
import styles from './AccessPage.module.css';

/** A panel that exports all flags to a file, and imports such a file or an export of Unleash. */
export function TransferPanel() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const mayChange = useMayChange();
  const input = useRef<HTMLInputElement>(null);
  const exported = useExportFlags();
  const report = useImportFlags();
  const [data, setData] = useState<FlagExport>();
  const [isWrong, setIsWrong] = useState(false);
  const onFile = async (file: File | undefined) => {
    const content = file && readExport(await file.text());
    setIsWrong(file !== undefined && content === undefined);
    if (content) {
      setData(content);
      report.mutate({ data: content, dryRun: true });
    }
  };
  return (
    <Panel title={t('transfer.title')}>
      <div className={styles.stack}>
        <p className={styles.text}>{t('transfer.text')}</p>
        {exported.error && (
          <SendFailure
            title={t('transfer.exportFailed')}
            error={exported.error}
          />
        )}
        {report.error && (
          <SendFailure title={t('transfer.readFailed')} error={report.error} />
        )}
        {isWrong && <p role="alert">{t('transfer.noJson')}</p>}
        <div className={styles.actions}>
          <Button
            variant="secondary"
            isPending={exported.isPending}
            onPress={() =>
              exported.mutate(undefined, {
                onSuccess: all =>
                  saveFile('flags.json', {
                    text: JSON.stringify(all, undefined, 2),
                    type: 'application/json',
                  }),
              })
            }
          >
            {t('transfer.export')}
          </Button>
          {mayChange && (
            <>
              <Button
                variant="secondary"
                isPending={report.isPending}
                onPress={() => input.current?.click()}
              >
                {t('transfer.import')}
              </Button>
              <input
                ref={input}
                type="file"
                accept="application/json,.json"
                aria-label={t('transfer.file')}
                hidden
                onChange={event => {
                  void onFile(event.target.files?.[0]);
                  // Reset, so that the same file can be chosen again after it was corrected.
                  event.target.value = '';
                }}
              />
            </>
          )}
        </div>
      </div>
      {data && report.data && (
        <ImportDialog
          data={data}
          report={report.data}
          onClose={() => setData(undefined)}
        />
      )}
    </Panel>
  );
}

/** Shows the changes of an import, and applies them. */
function ImportDialog(props: {
  data: FlagExport;
  report: ImportReport;
  onClose(): void;
}) {
  const { data, report, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { mutate, error, isPending, isSuccess } = useImportFlags();
  const { errors, warnings, changes } = report;
  const counts = [
    ['transfer.created', changes.created.length],
    ['transfer.updated', changes.updated.length],
    ['transfer.unchanged', changes.unchanged.length],
    ['transfer.segments', changes.segments.length],
    ['transfer.environments', changes.environments.length],
    ['transfer.projects', changes.projects.length],
  ] as const;
  const summary = (
    <div className={styles.stack}>
      {/* Errors keep everything from being imported. */}
      {errors.length === 0 && (
        <ul className={styles.findings}>
          {counts
            .filter(([, count]) => count > 0)
            .map(([key, count]) => (
              <li key={key}>{t(key, { count })}</li>
            ))}
        </ul>
      )}
      <Findings title={t('transfer.errors')} findings={errors} />
      <Findings title={t('transfer.warnings')} findings={warnings} />
    </div>
  );
  const title = t(isSuccess ? 'transfer.doneTitle' : 'transfer.reportTitle');
  return (
    <OpenDialog title={title} onClose={onClose} width={640}>
      {isSuccess || errors.length > 0 ? (
        <>
          <DialogBody>
            {errors.length > 0 && <p role="alert">{t('transfer.refused')}</p>}
            {summary}
          </DialogBody>
          <DialogFooter>
            <Button variant="primary" slot="close">
              {t('access.done')}
            </Button>
          </DialogFooter>
        </>
      ) : (
        <DialogForm
          submitLabel={t('transfer.confirm')}
          isPending={isPending}
          onSubmit={() => mutate({ data, dryRun: false })}
        >
          {error && (
            <SendFailure title={t('transfer.importFailed')} error={error} />
          )}
          {summary}
        </DialogForm>
      )}
    </OpenDialog>
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
              {affectedItems.length > 0 && `: ${affectedItems.join(', ')}`}
            </li>
          ))}
        </ul>
      </section>
    )
  );
}

/** Parses a file; returns undefined if it is not a JSON object. */
function readExport(text: string): FlagExport | undefined {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === 'object' &&
      content !== null &&
      !Array.isArray(content)
      ? (content as FlagExport)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Resolves with the content of the file. */
function useExportFlags() {
  return useServiceChange(flagsApiRef, (api, _all: void) => api.exportFlags());
}

/** Imports an export, or with `dryRun` reports what that would do. */
function useImportFlags() {
  return useServiceChange(
    flagsApiRef,
    (api, { data, dryRun }: { data: FlagExport; dryRun: boolean }) =>
      api.importFlags(data, { dryRun }),
  );
}
