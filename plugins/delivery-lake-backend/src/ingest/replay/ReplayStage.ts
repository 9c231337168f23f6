/** What works through one stage, chunk by chunk. */
export interface ReplayStage<Position> {
  /** How many there are. */
  count(): Promise<number>;
  /** Does the next chunk. @returns undefined at the end. */
  next(
    after: Position,
  ): Promise<{ done: number; position: Position } | undefined>;
}
