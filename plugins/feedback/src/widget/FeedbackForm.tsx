import { type ClipboardEvent, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Checkbox, TextAreaField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, RatingScale } from '@slipway/design-system';
import { useSubmit } from '../data/useChanges';
import { feedbackTranslationRef } from '../translation';
import { CategoryField } from './CategoryField';
import { ScreenshotField } from './ScreenshotField';
import { useCategoryChoice } from './useCategoryChoice';
import { useScreenshotChoice } from './useScreenshotChoice';
import styles from './widget.module.css';

/** A rating, some words, perhaps an image. Content of a Dialog. */
export function FeedbackForm(props: {
  /** Path of the page that it is about. */
  page: string;
  onSent(sent: { isAnonymous: boolean }): void;
}) {
  const { page, onSent } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const [rating, setRating] = useState<number>();
  const category = useCategoryChoice();
  const [message, setMessage] = useState('');
  const [isAnonymous, setIsAnonymous] = useState(false);
  const [isChecked, setIsChecked] = useState(false);
  const screenshot = useScreenshotChoice();
  const { mutate, error, isPending } = useSubmit();
  const isSaid = message.trim() !== '';

  const onSubmit = () => {
    setIsChecked(true);
    if (rating !== undefined && isSaid) {
      mutate(
        {
          rating,
          category: category.value,
          message: message.trim(),
          page,
          isAnonymous,
          ...(screenshot.dataUrl && { screenshot: screenshot.dataUrl }),
        },
        { onSuccess: () => onSent({ isAnonymous }) },
      );
    }
  };

  const onPaste = (event: ClipboardEvent) => {
    const [file] = event.clipboardData.files;
    if (file) {
      event.preventDefault();
      void screenshot.choose(file);
    }
  };

  return (
    <DialogForm
      submitLabel={t('widget.submit')}
      isPending={isPending}
      onSubmit={onSubmit}
      onPaste={onPaste}
    >
      {error && <SendFailure title={t('widget.failed')} error={error} />}
      <p className={styles.about}>{t('widget.about', { page })}</p>
      <RatingScale
        label={t('widget.rating')}
        min={1}
        max={5}
        value={rating}
        onChange={setRating}
        lowLabel={t('widget.low')}
        highLabel={t('widget.high')}
        error={
          isChecked && rating === undefined
            ? t('widget.ratingMissing')
            : undefined
        }
      />
      <CategoryField choice={category} />
      <TextAreaField
        label={t('widget.message')}
        rows={4}
        maxLength={10_000}
        value={message}
        onChange={setMessage}
        // Shown once sending was tried, and never in its way: the form decides.
        validationBehavior="aria"
        validate={() => !isChecked || isSaid || t('widget.messageMissing')}
      />
      <ScreenshotField choice={screenshot} />
      <div>
        <Checkbox isSelected={isAnonymous} onChange={setIsAnonymous}>
          {t('widget.anonymous')}
        </Checkbox>
        {isAnonymous && (
          <p className={styles.about}>{t('widget.anonymousHelp')}</p>
        )}
      </div>
    </DialogForm>
  );
}
