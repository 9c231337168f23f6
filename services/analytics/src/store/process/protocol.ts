/** What a process is asked, and what it answers: one message each over IPC. */
export interface RequestMessage<Q> {
  id: number;
  question: Q;
}

/** Said once, when questions can be asked. */
export interface ReadyMessage {
  ready: true;
}

export type AnswerMessage =
  | { id: number; answer?: unknown }
  | { id: number; error: { message: string; tooHeavy: boolean } };

export type ProcessMessage = ReadyMessage | AnswerMessage;
