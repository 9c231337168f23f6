import type { BuildArtifacts } from '../artifacts/BuildArtifacts.ts';
import type { Claim } from '../builds/Build.ts';
import type { FolderCaches } from '../caches/FolderCaches.ts';
import type { GateStore } from '../storage/GateStore.ts';
import type { Exchange } from './Exchange.ts';

/** The server's stores of what builds exchange. */
export interface ExchangeStores {
  gates: Pick<GateStore, 'ask'>;
  caches: Pick<FolderCaches, 'fetch' | 'save'>;
  jobArtifacts: Pick<BuildArtifacts, 'list' | 'open'>;
}

/** Returns the exchange of the build with a claim. */
export function exchangeOf(
  claim: Claim,
  { gates, caches, jobArtifacts }: ExchangeStores,
): Exchange {
  return {
    gates: { ask: gate => gates.ask(claim, gate) },
    caches: {
      fetch: cache => caches.fetch(claim, cache),
      save: (cache, content) => caches.save(claim, cache, content),
    },
    jobArtifacts: {
      list: job => jobArtifacts.list(claim, job),
      open: file => jobArtifacts.open(claim, file),
    },
  };
}
