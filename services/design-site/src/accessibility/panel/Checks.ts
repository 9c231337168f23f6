import { useSyncExternalStore } from 'react';
import type { AxeResults } from 'axe-core';
import type { Channel } from 'storybook/internal/channels';
import { STORY_FINISHED } from 'storybook/internal/core-events';
import { addons } from 'storybook/manager-api';
import { type Check, type Report, toReport } from '../report/Report.ts';

/** Event that addon-a11y emits after a manual run. */
const MANUAL_RESULT = 'storybook/a11y/result';
const MANUAL_ERROR = 'storybook/a11y/error';

/** Initial state of a story that has not been rendered yet. */
const UNKNOWN: Check = {};

interface StoryFinished {
  storyId: string;
  reporters: readonly {
    type: string;
    result: AxeResults | { error: { message: string } };
  }[];
}

/**
 * Stores the latest check of each story, also while the panel is closed: addon-a11y
 * emits each result only once.
 */
class Checks {
  readonly #byStory = new Map<string, Check>();
  readonly #listeners = new Set<() => void>();

  /** @param channel - Storybook's channel between manager and preview. */
  constructor(channel: Pick<Channel, 'on'>) {
    channel.on(STORY_FINISHED, ({ storyId, reporters }: StoryFinished) => {
      const own = reporters.find(({ type }) => type === 'a11y');
      if (own) {
        this.#set(storyId, toCheck(own.result));
      }
    });
    channel.on(MANUAL_RESULT, (result: AxeResults, storyId: string) =>
      this.#set(storyId, toCheck(result)),
    );
    channel.on(MANUAL_ERROR, (error: Error, storyId: string) =>
      this.#set(storyId, { error: error.message }),
    );
  }

  of(storyId: string): Check {
    return this.#byStory.get(storyId) ?? UNKNOWN;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #set(storyId: string, check: Check): void {
    this.#byStory.set(storyId, check);
    this.#listeners.forEach(listener => listener());
  }
}

function toCheck(result: AxeResults | { error: { message: string } }): Check {
  if ('error' in result) {
    return { error: result.error.message };
  }
  const report: Report = toReport(result);
  return { report };
}

let checks: Checks | undefined;

/** Starts collecting results when the site opens, before the panel does. */
export function startChecks(): void {
  checks = new Checks(addons.getChannel());
}

/** Returns the latest check of a story, and rerenders when it changes. */
export function useCheck(storyId: string): Check {
  const current = checks;
  if (!current) {
    throw new Error('startChecks has not been called');
  }
  return useSyncExternalStore(current.subscribe, () => current.of(storyId));
}
