import { useEffect, useRef, useState } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { readFailedCall, useErrorWords } from '@slipway/app-react';
import type {
  ContractWorkspace,
  DevfileIssue,
  DevfilePreview,
} from '@slipway/plugin-ide-launcher-common';
import { ideLauncherApiRef } from '../api/IdeLauncherApi';
import { useWorkspaceActions } from '../queries';
import { ideLauncherTranslationRef } from '../translation';

/**
 * Holds the state of the create dialog: its fields and their errors, and whether it is being submitted.
 * An error is shown while typing if more input cannot fix it, a missing URL only after submitting. A
 * backend error stays at its field until the field changes.
 */
export function useCreateForm(options: {
  initialDevfileUrl: string;
  initialRevision: string;
  onCreated: (workspace: ContractWorkspace) => void;
}) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const errorWords = useErrorWords();
  const api = useApi(ideLauncherApiRef);
  const { create } = useWorkspaceActions();
  const [fields, setFields] = useState<CreateFields>({
    devfileUrl: httpsAddress(options.initialDevfileUrl),
    name: '',
    namespace: '',
    starterProject: '',
    revision: options.initialRevision,
  });
  const [isSent, setIsSent] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [refusal, setRefusal] = useState<{
    place: CreateErrorPlace;
    message: string;
  }>();
  /** Aborted when the dialog closes. */
  const lookup = useRef(new AbortController());
  useEffect(() => {
    const current = new AbortController();
    lookup.current = current;
    return () => current.abort();
  }, []);

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
      [field]: field === 'devfileUrl' ? httpsAddress(value) : value,
    }));
    setRefusal(before =>
      before?.place === field || before?.place === 'form' ? undefined : before,
    );
  };

  /** Creates the workspace. Without a preview of the address, requests one first. */
  const submit = async (preview?: DevfilePreview) => {
    const address = fields.devfileUrl.trim();
    const revision = fields.revision.trim();
    setIsSent(true);
    if (urlFault || nameFault || isSending) {
      return;
    }
    setRefusal(undefined);
    setIsSending(true);
    const { signal } = lookup.current;
    try {
      const found =
        preview ?? (await api.previewDevfile(address, { revision, signal }));
      if (signal.aborted) {
        return;
      }
      const [issue] = found.issues;
      if (!found.valid && issue) {
        setRefusal(refusalOf(issue));
        return;
      }
      const workspace = await create.mutateAsync({
        ...(found.repository
          ? { repositoryUrl: address }
          : { devfileUrl: address }),
        ...(fields.name && { name: fields.name }),
        ...(fields.namespace.trim() && { namespace: fields.namespace.trim() }),
        ...(fields.starterProject && { starterProject: fields.starterProject }),
        ...(revision && { revision }),
      });
      options.onCreated(workspace);
    } catch (error) {
      setRefusal({ place: placeOfError(error), message: errorWords(error) });
    } finally {
      setIsSending(false);
    }
  };

  return {
    fields,
    set,
    submit,
    isPending: isSending,
    errors: {
      devfileUrl: showsUrlFault
        ? t(`create.${urlFault}`)
        : refusedAt('devfileUrl'),
      name: nameFault ? t(`create.${nameFault}`) : refusedAt('name'),
      namespace: refusedAt('namespace'),
      revision: refusedAt('revision'),
      form: refusedAt('form'),
    },
    /** The first invalid field. */
    faultyField: urlFault
      ? ('devfileUrl' as const)
      : nameFault && ('name' as const),
    /** The last error from the backend; a new object each time. */
    refusal,
  };
}

/** Prefixes of accepted addresses. SSH addresses are converted to https ones once they are complete. */
const HTTPS = 'https://';
const FOR_SSH = ['git@', 'ssh://git@'];

/** Checks whether a text that is not an https address yet could become one with more input. */
function couldBecomeHttps(text: string): boolean {
  return (
    HTTPS.startsWith(text.toLowerCase()) ||
    FOR_SSH.some(start => start.startsWith(text) || text.startsWith(start))
  );
}

/** The fields of the create dialog. */
export interface CreateFields {
  /** Address of a devfile or a repository. */
  devfileUrl: string;
  name: string;
  namespace: string;
  /** Name of a starter project of the devfile; empty for none. */
  starterProject: string;
  /** Branch, tag or commit; empty for the devfile's default. */
  revision: string;
}

/** The place where the create dialog shows an error: at a field, or (`form`) above all fields. */
type CreateErrorPlace = keyof CreateFields | 'form';

/** Errors that the dialog detects itself, as keys of the texts in `create.*`. */
type CreateFieldFault = 'urlRequired' | 'urlNotHttps' | 'namePattern';

/** Names accepted by the backend (unique per namespace). */
const NAME_PATTERN = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Matches the SSH URL of a repository. The port is not captured, since https uses another one. */
const SSH_URL = /^ssh:\/\/git@([\w.-]+)(?::\d+)?\/([^\s/:]\S*)$/;
/** Matches a repository address in scp syntax, which has no port: digits may be the owner. */
const SCP_ADDRESS = /^git@([\w.-]+):([^\s/:]\S*)$/;

/** Validates the URL before the devfile is read. */
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

/**
 * Converts the SSH address of a repository, as copied from its forge, to the https address:
 * `git@github.com:acme/shop.git` to `https://github.com/acme/shop.git`. Returns any other text
 * unchanged.
 */
export function httpsAddress(text: string): string {
  const trimmed = text.trim();
  const [, host, path] =
    SSH_URL.exec(trimmed) ?? SCP_ADDRESS.exec(trimmed) ?? [];
  return host && path ? `https://${host}/${path}` : text;
}

/** Validates a name; the backend generates one if it is empty. */
export function checkName(name: string): CreateFieldFault | undefined {
  return name === '' || NAME_PATTERN.test(name) ? undefined : 'namePattern';
}

/**
 * Returns the field of a backend error. A conflict is always about the name; other messages
 * begin with the field.
 */
export function placeOfError(error: unknown): CreateErrorPlace {
  const { status = 0, message = '' } = readFailedCall(error);
  if (status === 409) {
    return 'name';
  }
  const isInvalid = [400, 413, 422].includes(status);
  if (status === 403 || isInvalid) {
    const place = placeIn(message);
    if (place) {
      return place;
    }
  }
  // An error without a field is about the devfile: it cannot be read, or is invalid.
  return isInvalid ? 'devfileUrl' : 'form';
}

/** Returns the error to show for an issue of the devfile or repository at the address. */
function refusalOf({ message, path }: DevfileIssue): {
  place: CreateErrorPlace;
  message: string;
} {
  // A part of the devfile may have the same name as a field of the dialog.
  return path
    ? { place: 'devfileUrl', message: `${path}: ${message}` }
    : { place: placeIn(message) ?? 'devfileUrl', message };
}

/** Returns the field whose name a message begins with; undefined if there is none. */
function placeIn(message: string): keyof CreateFields | undefined {
  const [, field] =
    /^(devfileUrl|namespace|name|revision)\b/.exec(message) ?? [];
  return field as keyof CreateFields | undefined;
}
