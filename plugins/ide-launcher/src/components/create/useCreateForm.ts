import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useErrorWords } from '@slipway/app-react';
import type { ContractWorkspace } from '@slipway/plugin-ide-launcher-common';
import { useWorkspaceActions } from '../../data/useWorkspaceActions';
import { ideLauncherTranslationRef } from '../../translation';
import {
  type CreateErrorPlace,
  type CreateFields,
  checkDevfileUrl,
  checkName,
  placeOfError,
} from './createFields';

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
