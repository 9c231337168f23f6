import { Type } from 'typebox';
import type { ErrorFormat } from './ErrorFormat.ts';

/** The format of the build server: `{message}`. */
export const groupCErrors: ErrorFormat = {
  schema: Type.Object({ message: Type.String() }),
  render: ({ message }) => ({ message }),
};
