import { useEffect, useMemo, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type {
  BuildRef,
  BuildStep,
  LogOutline,
  LogPlace,
} from '../api/BuildsApi';
import { buildsTranslationRef, type Translate } from '../translation';
import { stepNumberOf, useLogAddress } from './address';
import { LogBox } from './LogBox';
import { LogRows } from './LogRows';
import { LogTools } from './LogTools';
import {
  useLogOutline,
  useLogPages,
  useLogSearch,
  useRemembered,
} from './useLog';
import styles from './log.module.css';

/**
 * Shows the log of a build, folded by step and opened at the failure or at the growing end.
 */
export function LogViewer(props: {
  build: BuildRef;
  label: string;
  steps: readonly BuildStep[];
}) {
  const { build, label, steps } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const { data: outline, error } = useLogOutline(build);
  const pages = useLogPages(build);
  const [isTimed, setIsTimed] = useRemembered('log.times');
  const [isWrapped, setIsWrapped] = useRemembered('log.wrap');
  const [sought, setSought] = useState('');
  const [current, setCurrent] = useState(0);
  const search = useLogSearch(build, sought);
  const { matches = [] } = (sought && search.data) || {};
  const address = useAddressedPlace(outline);
  const [isFollowing, setIsFollowing] = useState(address === undefined);
  useEffect(() => setCurrent(0), [sought]);
  useEffect(() => {
    if (address) {
      setIsFollowing(false);
    }
  }, [address]);
  const focus = matches[current] ?? address;
  const folds = useFolds({ outline, steps, focus });
  const rows = useMemo(
    () => new LogRows(outline?.sections ?? [], { ...folds, focus }),
    [outline, folds, focus],
  );
  const onStep = (by: number) => {
    setIsFollowing(false);
    setCurrent(before => (before + by + matches.length) % matches.length);
  };
  return (
    <div className={styles.viewer}>
      <LogTools
        build={build}
        search={{
          text: sought,
          onChange(text) {
            setSought(text);
            setIsFollowing(false);
          },
          current,
          matches: matches.length,
          hasMore: search.data?.more ?? false,
          isPending: sought !== '' && search.data === undefined,
          onStep,
        }}
        view={{ isTimed, setIsTimed, isWrapped, setIsWrapped }}
        onFollow={
          outline?.more && !isFollowing ? () => setIsFollowing(true) : undefined
        }
      />
      <LogBox
        {...{ label, rows, pages, steps, sought, isTimed, isWrapped }}
        empty={emptyWords(outline, { hasFailed: error !== null, t })}
        sections={outline?.sections ?? []}
        focus={focus ?? folds.opening}
        isMarked={focus !== undefined}
        isFollowing={isFollowing && (outline?.more ?? true)}
        isOpen={folds.isSectionOpen}
        isGroupOpen={folds.isGroupOpen}
        onToggle={folds.toggle}
        onScrolled={isAtEnd => setIsFollowing(isAtEnd)}
      />
      {(error || pages.hasFailed) && (
        <p className={styles.note} role="status">
          {t('log.failed')}
        </p>
      )}
    </div>
  );
}

/**
 * Says why a log has no lines; undefined if an error message elsewhere says that it failed to load.
 */
function emptyWords(
  outline: LogOutline | undefined,
  { hasFailed, t }: { hasFailed: boolean; t: Translate },
): string | undefined {
  if (!outline) {
    return hasFailed ? undefined : t('log.loading');
  }
  return t(outline.more ? 'log.empty' : 'log.none');
}

/** Returns the log line in the URL's fragment, once its section is loaded. */
function useAddressedPlace(
  outline: LogOutline | undefined,
): LogPlace | undefined {
  const address = useLogAddress();
  const section = outline?.sections.findIndex(
    one => stepNumberOf(one) === address?.step,
  );
  const line = (address?.line ?? 0) - 1;
  return useMemo(
    () =>
      section === undefined || section < 0 ? undefined : { section, line },
    // Clicking the same link again scrolls to the line again.
    [section, line],
  );
}

/** Logs up to this many lines are shown unfolded. */
const SHORT_LINES = 500;

/**
 * Returns the unfolded parts: those that the user toggled; by default those that failed, are
 * running, contain the current match, or are short.
 */
function useFolds(options: {
  outline: LogOutline | undefined;
  steps: readonly BuildStep[];
  focus: LogPlace | undefined;
}) {
  const { outline, steps, focus } = options;
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(
    new Map(),
  );
  return useMemo(() => {
    const { sections = [], more = true } = outline ?? {};
    const stateOf = (section: number) => {
      const step = sections[section]?.step;
      return typeof step === 'number' ? steps[step]?.state : undefined;
    };
    const total = sections.reduce((sum, { lines }) => sum + lines, 0);
    const isShort = total <= SHORT_LINES;
    const firstWith = (state: BuildStep['state']) =>
      sections.findIndex((_, index) => stateOf(index) === state);
    const broken = firstWith('failed');
    // A failure that the job allows is why an ended build is unstable.
    const failed = broken < 0 && !more ? firstWith('warning') : broken;
    const isSectionOpen = (section: number) =>
      toggled.get(keyOf({ section, line: -1 })) ??
      (focus?.section === section ||
        section === failed ||
        (more ? stateOf(section) === 'running' : isShort));
    const isGroupOpen = (place: LogPlace) => {
      const group = sections[place.section]?.groups.find(
        ({ from }) => from === place.line,
      );
      const isSought =
        focus?.section === place.section &&
        focus.line >= place.line &&
        focus.line <= (group?.to ?? Infinity);
      // A group without an end marker is where the log broke off.
      return toggled.get(keyOf(place)) ?? (isSought || group?.to === null);
    };
    const toggle = (place: LogPlace) => {
      const isOpen =
        place.line < 0 ? isSectionOpen(place.section) : isGroupOpen(place);
      setToggled(before => new Map(before).set(keyOf(place), !isOpen));
    };
    const opening =
      !more && failed >= 0
        ? { section: failed, line: Math.max(0, sections[failed].lines - 1) }
        : undefined;
    return { isSectionOpen, isGroupOpen, toggle, opening };
  }, [outline, steps, focus, toggled]);
}

function keyOf({ section, line }: LogPlace): string {
  return `${section}:${line}`;
}
