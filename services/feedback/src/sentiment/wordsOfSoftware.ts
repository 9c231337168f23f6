/**
 * How people speak of tools, where a general lexicon errs. Each phrase that is found
 * is taken out of the text and counted by its weight, −1 to 1: 0 takes out words that
 * only sound like a feeling ("fatal signal"), the others are feelings that sound like
 * none ("does not work").
 */
export const wordsOfSoftware: readonly (readonly [RegExp, number])[] = [
  // Sound negative and are praise, or nothing.
  [/\b(dead|stupidly|insanely|ridiculously) (simple|easy|fast|quick)\b/g, 0.6],
  [/\bkiller feature\b/g, 0.6],
  [/\bno (problems?|issues?|complaints?|bugs?|trouble|errors?)\b/g, 0.4],
  [/\b(never|not) (fails?|failed|crash(es|ed)?|breaks?|slow)\b/g, 0.4],
  [/\bkill(s|ed|ing)? (a|the|my|our|jobs?|process(es)?|builds?)\b/g, 0],
  [/\b(error|failure) (logs?|messages?|pages?|codes?|budgets?)\b/g, 0],
  [/\bfatal (signal|log|level)s?\b/g, 0],
  [/\b(dark|light|debug|safe) mode\b/g, 0],
  [/\bplease\b|\bwould be (nice|great|good|useful|helpful)\b/g, 0],
  // Sound like nothing and are complaints.
  [
    /\b(does|do|did|is|are|was)(n't| not|nt) (work(ing)?|load(ing)?|respond(ing)?|start(ing)?|open(ing)?|sav(e|ing))\b/g,
    -0.6,
  ],
  [/\b(can'?t|cannot|could ?n'?t|unable to)\b/g, -0.4],
  [
    /\b(never|no longer|stopped) (works?|loads?|working|loading|responds?)\b/g,
    -0.6,
  ],
  [
    /\b(hangs?|hung|freezes?|frozen|stuck|times? out|timed out|time-?outs?)\b/g,
    -0.5,
  ],
  [
    /\b(crash(es|ed|ing)?|broken|breaks|buggy|flaky|unusable|unreliable)\b/g,
    -0.6,
  ],
  [
    /\b(slow|slowly|slower|sluggish|laggy|lags|takes (ages|forever|too long))\b/g,
    -0.5,
  ],
  [
    /\b(confusing|unclear|outdated|hard to (find|use|read|understand))\b/g,
    -0.5,
  ],
  [/\b(missing|lacks?)\b/g, -0.2],
];

/** Words before a phrase that turn it round. */
export const NEGATION =
  /\b(not|no|never|neither|nor|without|hardly|isn'?t|aren'?t|wasn'?t|don'?t|doesn'?t|didn'?t|nothing)\b[^.!?;,]{0,20}$/;
