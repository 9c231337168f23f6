import type { KeyboardEvent } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Button,
  SearchField,
  ToggleButton,
  Tooltip,
  TooltipTrigger,
} from '@backstage/ui';
import {
  RiArrowDownLine,
  RiArrowDownSLine,
  RiArrowUpSLine,
  RiDownloadLine,
  RiFileTextLine,
  RiTextWrap,
  RiTimeLine,
} from '@remixicon/react';
import { SendFailure } from '@slipway/app-react';
import { IconButton, saveFile } from '@slipway/design-system';
import { useMutation } from '@tanstack/react-query';
import { type BuildRef, buildsApiRef } from '../api/BuildsApi';
import { buildsTranslationRef } from '../translation';
import styles from './log.module.css';

/** Toolbar of a log: search, view, follow, raw text and download. */
export function LogTools(props: {
  build: BuildRef;
  search: LogSearch;
  view: {
    isTimed: boolean;
    setIsTimed(isTimed: boolean): void;
    isWrapped: boolean;
    setIsWrapped(isWrapped: boolean): void;
  };
  /** Missing if the log is already followed, or complete. */
  onFollow?: () => void;
}) {
  const { build, search, view, onFollow } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const { mutate, isPending, error } = useWholeLog(build);
  return (
    <>
      {error && <SendFailure title={t('log.downloadFailed')} error={error} />}
      <div className={styles.tools}>
        <Search search={search} />
        <span className={styles.right}>
          {onFollow && (
            <Button
              size="small"
              variant="tertiary"
              iconStart={<RiArrowDownLine />}
              onPress={onFollow}
            >
              {t('log.follow')}
            </Button>
          )}
          <ToggleButton
            size="small"
            iconStart={<RiTimeLine />}
            isSelected={view.isTimed}
            onChange={view.setIsTimed}
          >
            {t('log.times')}
          </ToggleButton>
          <ToggleButton
            size="small"
            iconStart={<RiTextWrap />}
            isSelected={view.isWrapped}
            onChange={view.setIsWrapped}
          >
            {t('log.wrap')}
          </ToggleButton>
          <TooltipTrigger>
            <Button
              size="small"
              variant="tertiary"
              iconStart={<RiFileTextLine />}
              onPress={() => mutate('tab')}
            >
              {t('log.raw')}
            </Button>
            <Tooltip>{t('log.rawHint')}</Tooltip>
          </TooltipTrigger>
          <Button
            size="small"
            variant="tertiary"
            iconStart={<RiDownloadLine />}
            isPending={isPending}
            onPress={() => mutate('file')}
          >
            {t('log.download')}
          </Button>
        </span>
      </div>
    </>
  );
}

/** Search state: the text and the current match. */
export interface LogSearch {
  text: string;
  onChange(text: string): void;
  /** Index of the current match, from 0. */
  current: number;
  matches: number;
  /** True if there are more matches than were loaded. */
  hasMore: boolean;
  isPending: boolean;
  onStep(by: number): void;
}

function Search({ search }: { search: LogSearch }) {
  const { text, current, matches, hasMore, isPending, onStep } = search;
  const { t } = useTranslationRef(buildsTranslationRef);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && matches > 0) {
      onStep(event.shiftKey ? -1 : 1);
    }
  };
  const count = t(hasMore ? 'log.matchesMore' : 'log.matches', {
    current: String(current + 1),
    total: String(matches),
  });
  return (
    <>
      <SearchField
        className={styles.search}
        aria-label={t('log.search')}
        placeholder={t('log.search')}
        size="small"
        value={text}
        onChange={search.onChange}
        onKeyDown={onKeyDown as never}
      />
      {text !== '' && !isPending && (
        <span className={styles.matches} role="status">
          {matches === 0 ? t('log.noMatch') : count}
        </span>
      )}
      {matches > 0 && (
        <>
          <IconButton
            icon={<RiArrowUpSLine size={16} />}
            label={t('log.previous')}
            onPress={() => onStep(-1)}
          />
          <IconButton
            icon={<RiArrowDownSLine size={16} />}
            label={t('log.next')}
            onPress={() => onStep(1)}
          />
        </>
      )}
    </>
  );
}

/** Time for a browser to read the blob before its URL is revoked, in milliseconds. */
const READ_MS = 60_000;

/**
 * Saves the complete log as a file or opens it as text in a tab. Uses a request, because
 * plain links do not carry the session.
 */
function useWholeLog(build: BuildRef) {
  const api = useApi(buildsApiRef);
  return useMutation({
    mutationFn: async (as: 'file' | 'tab') => {
      // Opened before the request: browsers block pop-ups opened after a delay.
      const tab = as === 'tab' ? window.open('', '_blank') : null;
      try {
        const log = await api.downloadLog(build);
        // Always plain text, so that markup in a log is never rendered.
        const type = 'text/plain;charset=utf-8';
        if (!tab) {
          saveFile(
            `${build.job}-${build.number}.log`,
            new Blob([log], { type }),
          );
          return;
        }
        const url = URL.createObjectURL(new Blob([log], { type }));
        setTimeout(() => URL.revokeObjectURL(url), READ_MS);
        tab.opener = null;
        tab.location.href = url;
      } catch (error) {
        tab?.close();
        throw error;
      }
    },
  });
}
