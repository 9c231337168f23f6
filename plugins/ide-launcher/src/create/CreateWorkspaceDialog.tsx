import { LoadingBlock, OpenDialog } from '@slipway/design-system';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Alert,
  Button,
  DialogBody,
  DialogFooter,
  Text,
  TextField,
} from '@backstage/ui';
import { useLocation, useNavigate } from 'react-router-dom';
import type { PaletteDialogProps } from '@slipway/app-react';
import { useWorkspaceOptions } from '../queries';
import { workspaceRouteRef } from '../routes';
import { ideLauncherTranslationRef } from '../translation';
import {
  EditorNotice,
  ExistingWorkspaces,
  IsolationNotice,
  LimitUsage,
  reachedLimit,
  StarterProjectField,
} from './CreateNotices';
import { DevfilePreviewPanel, useDevfilePreview } from './DevfilePreviewPanel';
import { SampleList } from './SampleList';
import { addressIn } from './useCreateDialog';
import { type CreateFields, useCreateForm } from './useCreateForm';
import styles from './create.module.css';

/** The create dialog, opened from the command palette on any page. */
export function CreateWorkspaceFromPalette({
  input = '',
  onClose,
}: PaletteDialogProps) {
  const given = new URLSearchParams(input);
  const { pathname } = useLocation();
  const [opened] = useState(pathname);
  // Links in the dialog change the page without closing the dialog, so close it here.
  useEffect(() => {
    if (pathname !== opened) {
      onClose();
    }
  }, [pathname, opened, onClose]);
  return (
    <CreateWorkspaceDialog
      initialDevfileUrl={addressIn(given)}
      initialRevision={given.get('revision') ?? ''}
      onClose={onClose}
    />
  );
}

/** Creates a workspace from the address of a repository or a devfile, then opens its page. */
export function CreateWorkspaceDialog(props: {
  initialDevfileUrl: string;
  initialRevision?: string;
  onClose: () => void;
}) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const navigate = useNavigate();
  const workspacePath = useRouteRef(workspaceRouteRef);
  const { data: options, isPending: isLoading } = useWorkspaceOptions();
  const formRef = useRef<HTMLFormElement>(null);
  const form = useCreateForm({
    initialDevfileUrl: props.initialDevfileUrl,
    initialRevision: props.initialRevision ?? '',
    onCreated: ({ workspaceId }) => {
      const path = workspacePath?.({ workspaceId });
      props.onClose();
      if (path) {
        navigate(path);
      }
    },
  });
  const { fields, errors } = form;
  const preview = useDevfilePreview(fields.devfileUrl, fields.revision);
  const isUnreadable =
    preview.error !== null || preview.preview?.valid === false;
  const isLimited = reachedLimit(options) !== undefined;
  const isRefused = options?.runtime.isolation.acceptance?.accepted === false;

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    form.submit(preview.preview);
    focusField(formRef.current, form.faultyField);
  };
  // The backend's error may arrive long after submitting, so move the focus to its field.
  useEffect(() => {
    focusField(formRef.current, form.refusal?.place);
  }, [form.refusal]);

  const samples = options && options.samples.length > 0 && (
    <section aria-labelledby="ide-launcher-create-samples">
      <Text as="h3" weight="bold" id="ide-launcher-create-samples">
        {t('create.samplesLabel')}
      </Text>
      <SampleList
        samples={options.samples}
        onSelect={url => {
          form.set('devfileUrl', url);
          focusField(formRef.current, 'devfileUrl');
        }}
      />
    </section>
  );
  return (
    <OpenDialog title={t('create.title')} onClose={props.onClose} width={640}>
      <DialogBody>
        <form
          id="ide-launcher-create"
          ref={formRef}
          className={styles.form}
          onSubmit={onSubmit}
          noValidate
        >
          {isLoading ? (
            // The samples would push the other fields down if they appeared later.
            <LoadingBlock
              label={t('create.loading')}
              height={434}
              narrowHeight={626}
            />
          ) : (
            <>
              {errors.form && (
                <div role="alert">
                  <Alert
                    status="danger"
                    icon
                    title={t('create.failed')}
                    description={errors.form}
                  />
                </div>
              )}
              <CreateField
                name="devfileUrl"
                type="url"
                label={t('create.urlLabel')}
                description={t('create.urlDescription')}
                placeholder="https://"
                value={fields.devfileUrl}
                error={errors.devfileUrl}
                onChange={form.set}
                // The URL is the main field of the dialog; screen readers announce the title with it.
                // eslint-disable-next-line jsx-a11y/no-autofocus
                autoFocus
              />
              {fields.devfileUrl === '' && samples}
              <ExistingWorkspaces repositoryUrl={fields.devfileUrl} />
              <DevfilePreviewPanel {...preview} />
              {/* Below what is wrong with the chosen one. */}
              {isUnreadable &&
                options?.samples.some(
                  ({ devfileUrl }) => devfileUrl === fields.devfileUrl.trim(),
                ) &&
                samples}
              <StarterProjectField
                devfile={preview.preview?.devfile}
                value={fields.starterProject}
                onChange={name => form.set('starterProject', name)}
              />
              <div className={styles.pair}>
                <CreateField
                  name="name"
                  label={t('create.nameLabel')}
                  description={t('create.nameDescription')}
                  value={fields.name}
                  error={errors.name}
                  onChange={form.set}
                />
                <CreateField
                  name="namespace"
                  label={t('create.namespaceLabel')}
                  description={t('create.namespaceDescription')}
                  placeholder={options?.defaultNamespace}
                  value={fields.namespace}
                  error={errors.namespace}
                  onChange={form.set}
                />
              </div>
              <CreateField
                name="revision"
                label={t('create.revisionLabel')}
                description={t('create.revisionDescription')}
                value={fields.revision}
                error={errors.revision}
                onChange={form.set}
              />
              <IsolationNotice />
              {options && <EditorNotice editor={options.runtime.editor} />}
              {options && <LimitUsage options={options} />}
            </>
          )}
        </form>
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" slot="close">
          {t('action.cancel')}
        </Button>
        <Button
          variant="primary"
          type="submit"
          form="ide-launcher-create"
          isDisabled={
            isLimited || isRefused || preview.preview?.valid === false
          }
          isPending={form.isPending}
        >
          {t('create.submit')}
        </Button>
      </DialogFooter>
    </OpenDialog>
  );
}

function focusField(form: HTMLFormElement | null, name: string | undefined) {
  const field = name && form?.elements.namedItem(name);
  if (field instanceof HTMLInputElement) {
    field.focus();
  }
}

/** A text field of the create dialog, with its error below. */
function CreateField(props: {
  name: keyof CreateFields;
  label: string;
  description: string;
  value: string;
  error: string | undefined;
  onChange: (name: keyof CreateFields, value: string) => void;
  placeholder?: string;
  type?: 'text' | 'url';
  autoFocus?: boolean;
}) {
  const { name, error, onChange, type = 'text', ...rest } = props;
  return (
    <TextField
      {...rest}
      name={name}
      type={type}
      onChange={value => onChange(name, value)}
      // `aria` shows errors immediately without blocking the submission, which the form validates.
      validationBehavior="aria"
      validate={() => error ?? true}
      autoComplete="off"
      autoCorrect="off"
      spellCheck="false"
    />
  );
}
