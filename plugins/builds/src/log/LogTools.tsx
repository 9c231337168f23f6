import type { KeyboardEvent } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
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
import type { BuildRef } from '../api/BuildsApi';
import { buildsTranslationRef } from '../translation';
import { useWholeLog } from './useWholeLog';
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
