import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { readFailedCall, useErrorWords } from '@slipway/app-react';
import type { ContractWorkspace } from '@slipway/plugin-ide-launcher-common';
import { useWorkspaceActions } from '../actions';
import { ideLauncherTranslationRef } from '../translation';

/**
 * State of the create dialog: its fields, what is wrong with each of them, and sending them.
 *
 * A fault shows while typing once it cannot be a beginning of something right; an empty address
 * only when the form was sent. What the back end refused stays at its field until that changes.
 */
export function useCreateForm(options: {
  initialDevfileUrl: string;
  onCreated: (workspace: ContractWorkspace) => void;
}) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const errorWords = useErrorWords();
  const { create } = useWorkspaceActions();
  const [fields, setFields] = useState<CreateFields>({
    devfileUrl: options.initialDevfileUrl,
    name: '',
    namespace: '',
    starterProject: '',
  });
  const [isSent, setIsSent] = useState(false);
  const [refusal, setRefusal] = useState<{
    place: CreateErrorPlace;
    message: string;
  }>();

  const urlFault = checkDevfileUrl(fields.devfileUrl);
  const nameFault = checkName(fields.name);
  const showsUrlFault =
    urlFault && (isSent || !couldBecomeHttps(fields.devfileUrl.trim()));
  const refusedAt = (place: CreateErrorPlace) =>
    refusal?.place === place ? refusal.message : undefined;

  const set = (field: keyof CreateFields, value: string) => {
    setFields(before => ({
      ...before,
      // Another devfile has other starter projects.
      ...(field === 'devfileUrl' && { starterProject: '' }),
      [field]: value,
    }));
    setRefusal(before =>
      before?.place === field || before?.place === 'form' ? undefined : before,
    );
  };

  const submit = async () => {
    setIsSent(true);
    if (urlFault || nameFault || create.isPending) {
      return;
    }
    setRefusal(undefined);
    try {
      const workspace = await create.mutateAsync({
        devfileUrl: fields.devfileUrl.trim(),
        ...(fields.name && { name: fields.name }),
        ...(fields.namespace.trim() && { namespace: fields.namespace.trim() }),
        ...(fields.starterProject && { starterProject: fields.starterProject }),
      });
      options.onCreated(workspace);
    } catch (error) {
      setRefusal({ place: placeOfError(error), message: errorWords(error) });
    }
  };

  return {
    fields,
    set,
    submit,
    isPending: create.isPending,
    errors: {
      devfileUrl: showsUrlFault
        ? t(`create.${urlFault}`)
        : refusedAt('devfileUrl'),
      name: nameFault ? t(`create.${nameFault}`) : refusedAt('name'),
      namespace: refusedAt('namespace'),
      form: refusedAt('form'),
    },
    /** The first field whose content cannot be sent. */
    faultyField: urlFault
      ? ('devfileUrl' as const)
      : nameFault && ('name' as const),
    /** What the back end said no to last; a new object for each refusal. */
    refusal,
  };
}

function couldBecomeHttps(text: string): boolean {
  const scheme = 'https://';
  return scheme.startsWith(text.toLowerCase()) || text.toLowerCase() === scheme;
}

/** The fields of the create dialog. */
export interface CreateFields {
  devfileUrl: string;
  name: string;
  namespace: string;
  /** Name of one that the devfile offers; empty for none. */
  starterProject: string;
}

/** The place of an error in the create dialog: at a field, or above all of them. */
type CreateErrorPlace = keyof CreateFields | 'form';

/** What the dialog finds wrong by itself, as the key of the text in `create.*`. */
type CreateFieldFault = 'urlRequired' | 'urlNotHttps' | 'namePattern';

/** Names as the back end takes them (unique per namespace). */
const NAME_PATTERN = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Checks what can be checked before the devfile is read. */
export function checkDevfileUrl(
  devfileUrl: string,
): CreateFieldFault | undefined {
  const text = devfileUrl.trim();
  if (text === '') {
    return 'urlRequired';
  }
  return URL.canParse(text) && new URL(text).protocol === 'https:'
    ? undefined
    : 'urlNotHttps';
}

/** Checks a name; an empty one is made by the back end. */
export function checkName(name: string): CreateFieldFault | undefined {
  return name === '' || NAME_PATTERN.test(name) ? undefined : 'namePattern';
}

/**
 * The field at which the back end's refusal belongs. A conflict is always about the name; for the
 * others the back end begins its message with the field.
 */
export function placeOfError(error: unknown): CreateErrorPlace {
  const { status = 0, message = '' } = readFailedCall(error);
  if (status === 409) {
    return 'name';
  }
  const isInvalid = [400, 413, 422].includes(status);
  if (status === 403 || isInvalid) {
    const named = /^(devfileUrl|namespace|name)\b/.exec(message);
    if (named) {
      return named[1] as keyof CreateFields;
    }
  }
  // What is refused without naming a field is the devfile: it cannot be read, or is not valid.
  return isInvalid ? 'devfileUrl' : 'form';
}
