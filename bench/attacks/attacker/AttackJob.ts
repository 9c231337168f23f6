/** What an attacker sends again and again. */
export interface AttackJob {
  port: number;
  connections: number;
  seconds: number;
  method: string;
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** The bytes to send, in base64. */
  body?: string;
}

/** How often each status was answered; the reason where nothing was. */
export type AttackResult = Readonly<Record<string, number>>;
