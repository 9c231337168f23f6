import { type ReactNode, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Button,
  DialogBody,
  DialogFooter,
  PasswordField,
  Radio,
  RadioGroup,
  Select,
  TextField,
} from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { CodeLine, DialogForm, OpenDialog } from '@slipway/design-system';
import {
  DESTINATION_KINDS,
  type DestinationKind,
  FILE_FORMATS,
  type FileFormat,
} from '../api/DestinationsApi';
import { analyticsTranslationRef } from '../translation';
import {
  type DestinationFields,
  destinationOf,
  EMPTY_FIELDS,
  isValid,
} from './destinationForm';
import { useCreateDestination } from './destinationQueries';
import styles from '../analytics.module.css';

type TextName = Exclude<keyof DestinationFields, 'kind' | 'format'>;

/** Creates a destination, and shows the secret of a webhook once. */
export function CreateDestinationDialog(props: {
  projectId: string;
  onCreated(id: string): void;
  onClose(): void;
}) {
  const { projectId, onCreated, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const {
    mutate,
    data: secret,
    error,
    isPending,
  } = useCreateDestination(projectId);
  const [fields, setFields] = useState(EMPTY_FIELDS);
  const [isChecked, setIsChecked] = useState(false);
  const submit = () => {
    setIsChecked(true);
    const destination = destinationOf(fields);
    if (destination) {
      mutate(destination, {
        onSuccess(created) {
          onCreated(destination.id);
          if (created === undefined) {
            onClose();
          }
        },
      });
    }
  };
  return (
    <OpenDialog
      title={t(secret ? 'destinations.secretTitle' : 'destinations.create')}
      onClose={onClose}
      isDismissable={!secret}
    >
      {secret ? (
        <Secret secret={secret} />
      ) : (
        <DialogForm
          submitLabel={t('destinations.create')}
          isPending={isPending}
          onSubmit={submit}
        >
          {error && (
            <SendFailure title={t('destinations.createFailed')} error={error} />
          )}
          <Fields
            fields={fields}
            isChecked={isChecked}
            onChange={changed => setFields({ ...fields, ...changed })}
          />
        </DialogForm>
      )}
    </OpenDialog>
  );
}

function Secret({ secret }: { secret: string }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <>
      <DialogBody>
        <div className={styles.stack}>
          <p className={styles.text}>{t('destinations.secretText')}</p>
          <CodeLine code={secret} label={t('destinations.copySecret')} />
        </div>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" slot="close">
          {t('settings.done')}
        </Button>
      </DialogFooter>
    </>
  );
}

function Fields(props: {
  fields: DestinationFields;
  /** True once the form was submitted. */
  isChecked: boolean;
  onChange(changed: Partial<DestinationFields>): void;
}) {
  const { fields, isChecked, onChange } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const text = (
    name: TextName,
    texts: { description?: string; wrong?: string } = {},
  ): ReactNode => {
    const Field = name === 'secretAccessKey' ? PasswordField : TextField;
    return (
      <Field
        label={t(`destinations.fields.${name}`)}
        {...(texts.description && { description: texts.description })}
        autoComplete="off"
        value={fields[name]}
        onChange={value => onChange({ [name]: value })}
        validationBehavior="aria"
        validate={() =>
          !isChecked ||
          isValid(fields, name) ||
          (texts.wrong ?? t('destinations.missing'))
        }
      />
    );
  };
  return (
    <>
      <RadioGroup
        label={t('destinations.kind')}
        value={fields.kind}
        onChange={value => onChange({ kind: value as DestinationKind })}
      >
        {DESTINATION_KINDS.map(kind => (
          <Radio key={kind} value={kind}>
            {t(`destinations.kindsHelp.${kind}`)}
          </Radio>
        ))}
      </RadioGroup>
      {text('id', {
        description: t('destinations.idHelp'),
        wrong: t('project.idWrong'),
      })}
      {fields.kind === 'webhook' ? (
        text('url', { wrong: t('destinations.addressWrong') })
      ) : (
        <>
          {text('endpoint', {
            description: t('destinations.endpointHelp'),
            wrong: t('destinations.addressWrong'),
          })}
          {text('region', { description: t('destinations.regionHelp') })}
          {text('bucket')}
          {text('prefix', { description: t('destinations.prefixHelp') })}
          {text('accessKeyId')}
          {text('secretAccessKey')}
          <Select
            label={t('destinations.format')}
            value={fields.format}
            onChange={value => onChange({ format: value as FileFormat })}
            options={FILE_FORMATS.map(value => ({
              value,
              label: t(`destinations.formats.${value}`),
            }))}
          />
        </>
      )}
      {text('events', { description: t('destinations.eventsHelp') })}
    </>
  );
}
