/** Words that speak for each of the default categories. */
const HINTS: Readonly<Record<string, RegExp>> = {
  'CI/CD':
    /\b(ci|cd|pipelines?|builds?|deploy(s|ed|ing|ments?)?|releases?|runners?|jobs?|tests? (fail|suite))\b/gi,
  Performance:
    /\b(slow(ly|er)?|fast(er)?|performance|lag(s|gy)?|latency|hangs?|freez\w+|time-?outs?|times out|takes (ages|forever|too long)|memory|cpu|loading)\b/gi,
  Documentation:
    /\b(docs?|documentation|readme|guides?|tutorials?|examples?|how-?to|wiki|runbooks?|explain(s|ed)?)\b/gi,
  'UI/UX':
    /\b(ui|ux|buttons?|pages?|layouts?|designs?|menus?|dialogs?|navigation|sidebar|screens?|themes?|dark mode|icons?|colou?rs?|fonts?|click(s|ed|ing)?|mobile|keyboard|accessib\w+)\b/gi,
};

/**
 * What a text is about: the category with most of its words in it, among those that
 * are configured; the last of them when none speaks for itself.
 */
export function guessCategory(
  message: string,
  categories: readonly string[],
): string {
  let best = { category: categories[categories.length - 1], hits: 0 };
  for (const category of categories) {
    const hits = Object.hasOwn(HINTS, category)
      ? (message.match(HINTS[category])?.length ?? 0)
      : 0;
    if (hits > best.hits) {
      best = { category, hits };
    }
  }
  return best.category;
}
