import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { useErrorWords } from '@slipway/app-react';
import { ConfirmDialog } from '@slipway/design-system';
import { useLocation, useNavigate } from 'react-router-dom';
import { useDeleteFeedback } from '../queries';
import { feedbackTranslationRef } from '../translation';

/** Deletes the open feedback after confirmation, and then shows the list. */
export function DeleteFeedback(props: {
  id: string;
  /** Returns the URL of the list; `search` contains the filters of the list. */
  listHref(id: undefined, search: string): string;
}) {
  const { id, listHref } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { search } = useLocation();
  const navigate = useNavigate();
  const { mutateAsync } = useDeleteFeedback();
  const errorWords = useErrorWords();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <div>
        <Button
          size="small"
          variant="secondary"
          destructive
          onPress={() => setIsAsking(true)}
        >
          {t('detail.delete')}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('detail.deleteTitle')}
        confirmLabel={t('detail.delete')}
        describeError={errorWords}
        onConfirm={async () => {
          await mutateAsync(id);
          navigate(listHref(undefined, search));
        }}
      >
        {t('detail.deleteText')}
      </ConfirmDialog>
    </>
  );
}
