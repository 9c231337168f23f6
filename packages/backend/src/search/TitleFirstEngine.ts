import {
  type LunrQueryTranslator,
  LunrSearchEngine,
} from '@backstage/plugin-search-backend-node';
import lunr from 'lunr';

/** Makes a match in a title count more than any match elsewhere. */
const TITLE_WEIGHT = 100;

/**
 * Minimum word lengths for tolerating one and two typos; shorter words resemble too many others.
 */
const ONE_TYPO_FROM = 5;
const TWO_TYPOS_FROM = 8;

/**
 * Searches in memory, like Backstage's default engine, but ranks results by their titles first:
 * people mostly look for names. The engine for PostgreSQL already ranks titles first.
 */
export class TitleFirstEngine extends LunrSearchEngine {
  constructor(options: ConstructorParameters<typeof LunrSearchEngine>[0]) {
    super(options);
    const stock = this.translator as LunrQueryTranslator;
    this.setTranslator(query => translate(query, stock));
  }

  override async getIndexer(type: string) {
    const indexer = await super.getIndexer(type);
    const build = indexer.buildIndex.bind(indexer);
    indexer.buildIndex = () => rankTitlesFirst(build());
    return indexer;
  }
}

/**
 * Uses the stock translator for filters and pages, and {@link addWord} for the words of the query.
 */
function translate(
  query: Parameters<LunrQueryTranslator>[0],
  stock: LunrQueryTranslator,
): ReturnType<LunrQueryTranslator> {
  const withoutWords = stock({ ...query, term: '' });
  return {
    ...withoutWords,
    lunrQueryBuilder(q) {
      withoutWords.lunrQueryBuilder.call(q, q);
      lunr.tokenizer(query.term).forEach(word => addWord(q, String(word)));
    },
  };
}

/** Finds the word itself first, then words that begin with it, then words that resemble it. */
function addWord(q: lunr.Query, word: string): void {
  q.term(word, { boost: 100 });
  q.term(word, {
    boost: 10,
    usePipeline: false,
    wildcard: lunr.Query.wildcard.TRAILING,
  });
  if (word.length >= ONE_TYPO_FROM) {
    q.term(word, { editDistance: word.length < TWO_TYPOS_FROM ? 1 : 2 });
  }
}

/** Raises the scores of matches in titles. Lunr's own boosts only weight terms within a field. */
function rankTitlesFirst(index: lunr.Index): lunr.Index {
  const query = index.query.bind(index);
  index.query = build =>
    query(build).map(result =>
      Object.values(result.matchData.metadata as Record<string, object>).some(
        fields => 'title' in fields,
      )
        ? { ...result, score: result.score * TITLE_WEIGHT }
        : result,
    );
  return index;
}
