import { type ClipboardEvent, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Alert,
  Button,
  ButtonLink,
  Checkbox,
  DialogBody,
  DialogFooter,
  Select,
  TextAreaField,
} from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import {
  DialogForm,
  Done,
  RatingScale,
  OpenDialog,
} from '@slipway/design-system';
import { useLocation } from 'react-router-dom';
import type { Receipt } from '../api/Feedback';
import { useOptions, useSubmit } from '../queries';
import { useLinks } from '../routes';
import { feedbackTranslationRef } from '../translation';
import { ScreenshotField, useScreenshotChoice } from './ScreenshotField';
import { SimilarFeedback } from './SimilarFeedback';
import styles from './widget.module.css';

/** The result of sending feedback. */
interface Sent extends Receipt {
  isAnonymous: boolean;
}

/** A dialog to send feedback about the current page. */
export function SendFeedbackDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { pathname } = useLocation();
  const links = useLinks();
  const [sent, setSent] = useState<Sent>();
  return (
    <OpenDialog
      title={t(sent ? 'widget.doneTitle' : 'widget.title')}
      onClose={onClose}
    >
      {sent ? (
        <>
          <DialogBody>
            <Done>
              {t(sent.isAnonymous ? 'widget.doneAnonymous' : 'widget.done')}
            </Done>
            {!sent.isScreenshotStored && (
              // Screen readers must announce it, since the focus is on the message before it.
              <Alert
                role="alert"
                status="warning"
                icon
                title={t('widget.screenshotLost')}
                description={t(
                  sent.isAnonymous
                    ? 'widget.screenshotLostAnonymous'
                    : 'widget.screenshotLostHelp',
                )}
              />
            )}
          </DialogBody>
          <DialogFooter>
            {!sent.isAnonymous && (
              <ButtonLink
                variant="secondary"
                href={links.mine(sent.id)}
                onPress={onClose}
              >
                {t('widget.follow')}
              </ButtonLink>
            )}
            <Button variant="primary" slot="close">
              {t('widget.close')}
            </Button>
          </DialogFooter>
        </>
      ) : (
        <FeedbackForm page={pathname} onSent={setSent} />
      )}
    </OpenDialog>
  );
}

/** The content of the dialog: a form with a rating, a text and an optional image. */
function FeedbackForm(props: {
  /** Path of the page that the feedback is about. */
  page: string;
  onSent(sent: Sent): void;
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
        { onSuccess: receipt => onSent({ ...receipt, isAnonymous }) },
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
        // Shown after the first submit, but does not block submitting: the form validates itself.
        validationBehavior="aria"
        validate={() => !isChecked || isSaid || t('widget.messageMissing')}
      />
      <SimilarFeedback message={message} />
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

/** Selects the category; warns if the options are only the default ones. */
function CategoryField(props: {
  choice: ReturnType<typeof useCategoryChoice>;
}) {
  const { categories, value, choose, isGuessed, isReading, retry } =
    props.choice;
  const { t } = useTranslationRef(feedbackTranslationRef);
  return (
    <>
      <Select
        label={t('widget.category')}
        value={value}
        onChange={key => key !== null && choose(String(key))}
        options={categories.map(id => ({ id, label: id }))}
      />
      {isGuessed && (
        <div className={styles.unread}>
          <p role="status">{t('widget.categoriesUnread')}</p>
          <Button
            size="small"
            variant="secondary"
            isPending={isReading}
            onPress={retry}
          >
            {t('widget.readCategories')}
          </Button>
        </div>
      )}
    </>
  );
}

/** The service's default categories, used until the configured ones are loaded. */
const DEFAULTS = ['UI/UX', 'Performance', 'Documentation', 'CI/CD', 'Other'];

/** Returns the categories and the selected one. */
function useCategoryChoice() {
  const { data, isError, isFetching, refetch } = useOptions();
  const [chosen, setChosen] = useState<string>();
  const categories = data?.categories ?? DEFAULTS;
  return {
    categories,
    // A default category that was selected early may not be among the configured ones.
    value:
      chosen !== undefined && categories.includes(chosen)
        ? chosen
        : categories[0],
    choose: setChosen,
    /** True if the configured categories could not be read. */
    isGuessed: isError && !data,
    isReading: isFetching,
    retry: () => void refetch(),
  };
}
