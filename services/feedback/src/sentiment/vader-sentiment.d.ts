declare module 'vader-sentiment' {
  /** Scores English text with the VADER lexicon (Hutto and Gilbert, 2014). */
  export class SentimentIntensityAnalyzer {
    /** `compound` runs from −1, most negative, to 1, most positive. */
    static polarity_scores(text: string): {
      neg: number;
      neu: number;
      pos: number;
      compound: number;
    };
  }
}
