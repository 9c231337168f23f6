import type { KeyboardEvent } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Button,
  ButtonIcon,
  SearchField,
  Tooltip,
  TooltipTrigger,
} from '@backstage/ui';
import {
  RiArrowDownLine,
  RiArrowDownSLine,
  RiArrowUpSLine,
  RiDownloadLine,
  RiFileTextLine,
} from '@remixicon/react';
import { SendFailure } from '@slipway/app-react';
import { saveFile } from '@slipway/design-system';
import { useMutation } from '@tanstack/react-query';
import { type BuildRef, buildsApiRef } from '../api/BuildsApi';
import { buildsTranslationRef } from '../translation';
import styles from './log.module.css';

/** Search, follow, raw text and download, above a log. */
export function LogTools(props: {
  build: BuildRef;
  sought: string;
  onSearch(text: string): void;
  /** Index of the match in sight, from 0. */
  current: number;
  matches: number;
  onStep(by: number): void;
  isFollowing: boolean;
  /** Missing where there is nothing more to come. */
  onFollow?: () => void;
}) {
  const { build, sought, matches, current, onStep, onFollow } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const { mutate, isPending, error } = useWholeLog(build);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && matches > 0) {
      onStep(event.shiftKey ? -1 : 1);
    }
  };
  return (
    <>
      {error && <SendFailure title={t('log.downloadFailed')} error={error} />}
      <div className={styles.tools}>
        <SearchField
          className={styles.search}
          aria-label={t('log.search')}
          placeholder={t('log.search')}
          size="small"
          value={sought}
          onChange={props.onSearch}
          onKeyDown={onKeyDown as never}
        />
        {sought !== '' && (
          <span className={styles.matches} role="status">
            {matches === 0
              ? t('log.noMatch')
              : t('log.matches', {
                  current: String(current + 1),
                  total: String(matches),
                })}
          </span>
        )}
        {matches > 0 && (
          <>
            <ButtonIcon
              size="small"
              variant="tertiary"
              icon={<RiArrowUpSLine size={16} />}
              aria-label={t('log.previous')}
              onPress={() => onStep(-1)}
            />
            <ButtonIcon
              size="small"
              variant="tertiary"
              icon={<RiArrowDownSLine size={16} />}
              aria-label={t('log.next')}
              onPress={() => onStep(1)}
            />
          </>
        )}
        <span className={styles.right}>
          {!props.isFollowing && onFollow && (
            <Button
              size="small"
              variant="tertiary"
              iconStart={<RiArrowDownLine />}
              onPress={onFollow}
            >
              {t('log.follow')}
            </Button>
          )}
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

/** How long a browser may take to read what it was given. */
const READ_MS = 60_000;

/**
 * The whole log, saved as a file or shown as text in a tab of its own; by hand, as links
 * carry no session.
 */
function useWholeLog(build: BuildRef) {
  const api = useApi(buildsApiRef);
  return useMutation({
    mutationFn: async (as: 'file' | 'tab') => {
      // Before the answer: later the browser takes it for a pop-up.
      const tab = as === 'tab' ? window.open('', '_blank') : null;
      try {
        const log = await api.downloadLog(build);
        // Text whatever it holds: nothing of a log is markup.
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
