/** What a process is asked, and what it answers: one message each over IPC. */
export interface RequestMessage<Q> {
  id: number;
  question: Q;
}

/** Said once, when questions can be asked. */
export interface ReadyMessage {
  ready: true;
}

/**
 * What the request of that id came to. `tooHeavy` tells a query that took more memory or
 * time than it may, which is the asker's to change, from a fault of the engine.
 */
export type AnswerMessage =
  | { id: number; answer?: unknown }
  | { id: number; error: { message: string; tooHeavy: boolean } };

/** All that a process sends; it says {@link ReadyMessage} before anything else. */
export type ProcessMessage = ReadyMessage | AnswerMessage;
