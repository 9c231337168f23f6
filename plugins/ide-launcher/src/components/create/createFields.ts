import { readFailedCall } from '@slipway/app-react';

/** The fields of the create dialog. */
export interface CreateFields {
  devfileUrl: string;
  name: string;
  namespace: string;
  /** Name of one that the devfile offers; empty for none. */
  starterProject: string;
}

/** The place of an error in the create dialog: at a field, or above all of them. */
export type CreateErrorPlace = keyof CreateFields | 'form';

/** What the dialog finds wrong by itself, as the key of the text in `create.*`. */
export type CreateFieldFault = 'urlRequired' | 'urlNotHttps' | 'namePattern';

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
