import type { ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  PasswordField,
  Radio,
  RadioGroup,
  Select,
  TextAreaField,
  TextField,
} from '@backstage/ui';
import {
  type Destination,
  DESTINATION_KINDS,
  type DestinationKind,
  FILE_FORMATS,
  FILE_INTERVALS,
  type FileFormat,
  type FileInterval,
} from '../api/DestinationsApi';
import { analyticsTranslationRef } from '../translation';
import {
  type DestinationFields as Fields,
  isValid,
  type TextName,
} from './destinationForm';

const SECRETS: readonly TextName[] = ['secret', 'secretAccessKey'];

/** The form fields for creating or changing a destination. */
export function DestinationFields(props: {
  fields: Fields;
  /** The destination to change; undefined for a new one. */
  destination?: Destination;
  /** True once the form was submitted. */
  isChecked: boolean;
  onChange(changed: Partial<Fields>): void;
}) {
  const { fields, destination, isChecked, onChange } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const isNew = destination === undefined;
  const text = (
    name: TextName,
    texts: { description?: string; wrong?: string } = {},
  ): ReactNode => {
    const Field = SECRETS.includes(name) ? PasswordField : TextField;
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
          isValid(fields, name, destination) ||
          (texts.wrong ?? t('destinations.missing'))
        }
      />
    );
  };
  const isKept = destination?.is_readable;
  const kept = isKept && { description: t('destinations.keptHelp') };
  const address = {
    wrong: t('destinations.addressWrong'),
    ...(destination && {
      description: t(
        isKept ? 'destinations.addressKept' : 'destinations.addressLost',
        { address: new URL(destination.address).origin },
      ),
    }),
  };
  return (
    <>
      {isNew && (
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
      )}
      {text('id', {
        description: t('destinations.idHelp'),
        wrong: t('project.idWrong'),
      })}
      {fields.kind === 'webhook' ? (
        <>
          {text('url', address)}
          {!isNew &&
            text('secret', { ...kept, wrong: t('destinations.secretWrong') })}
        </>
      ) : (
        <>
          {text('endpoint', {
            description: t('destinations.endpointHelp'),
            ...address,
          })}
          {text('region', { description: t('destinations.regionHelp') })}
          {text('bucket')}
          {text('prefix', { description: t('destinations.prefixHelp') })}
          {text('accessKeyId', kept || {})}
          {text('secretAccessKey', kept || {})}
          <Select
            label={t('destinations.format')}
            value={fields.format}
            onChange={value => onChange({ format: value as FileFormat })}
            options={FILE_FORMATS.map(value => ({
              value,
              label: t(`destinations.formats.${value}`),
            }))}
          />
          <Select
            label={t('destinations.interval')}
            description={t('destinations.intervalHelp')}
            value={fields.interval}
            onChange={value => onChange({ interval: value as FileInterval })}
            options={FILE_INTERVALS.map(value => ({
              value,
              label: t(`destinations.intervals.${value}`),
            }))}
          />
        </>
      )}
      <TextAreaField
        label={t('destinations.fields.events')}
        description={t('destinations.eventsHelp')}
        autoComplete="off"
        value={fields.events}
        onChange={events => onChange({ events })}
      />
    </>
  );
}
