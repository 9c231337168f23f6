import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ToggleButton, ToggleButtonGroup } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import { LoadingRows, useUrlFilters } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import { MissingParts, useAdministration } from './partData';
import { PeopleList } from './PeopleList';
import { RoleList } from './RoleList';
import './admin.css';

/**
 * Shows everyone's teams and roles, or the permissions of roles in all parts, depending on the
 * URL.
 */
export function AccessPage() {
  const { t } = useTranslationRef(appTranslationRef);
  const view = useUrlFilters({ show: 'people' });
  const { show } = view.values;
  const toggle = (
    <ToggleButtonGroup
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[show]}
      onSelectionChange={keys => view.set('show', String([...keys][0]))}
      aria-label={t('admin.roles.show')}
    >
      <ToggleButton id="people" size="small">
        {t('admin.people.title')}
      </ToggleButton>
      <ToggleButton id="roles" size="small">
        {t('admin.roles.title')}
      </ToggleButton>
    </ToggleButtonGroup>
  );
  return (
    <Loaded
      query={useAdministration()}
      failed={t('admin.roles.failed')}
      loading={<LoadingRows label={t('admin.roles.loading')} rows={12} />}
    >
      {administration => (
        <>
          <p className="slw-AdminNote">{t('admin.roles.how')}</p>
          <MissingParts parts={administration.missing} />
          {show === 'roles' ? (
            <RoleList {...administration} toggle={toggle} />
          ) : (
            <PeopleList roles={administration.roles} toggle={toggle} />
          )}
        </>
      )}
    </Loaded>
  );
}
