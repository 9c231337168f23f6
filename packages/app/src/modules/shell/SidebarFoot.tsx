import { useEffect, useState } from 'react';
import {
  identityApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { NotificationsSidebarItem } from '@backstage/plugin-notifications';
import { Avatar } from '@backstage/ui';
import { RiNotification3Line } from '@remixicon/react';
import { appTranslationRef } from '../../translation';
import { NavLink } from './NavLink';

/** Notifications and the signed-in user. */
export function SidebarFoot() {
  const { t } = useTranslationRef(appTranslationRef);
  const name = useUserName();
  return (
    <ul className="slw-NavList">
      <li>
        <NotificationsSidebarItem
          renderItem={({ unreadCount, to, onClick }) => (
            <NavLink
              href={to}
              icon={<RiNotification3Line size={20} />}
              title={t('nav.notifications')}
              onClick={onClick}
              extra={
                unreadCount > 0 && (
                  <span
                    className="slw-NavCount"
                    aria-label={t('nav.unread', { count: unreadCount })}
                  >
                    {unreadCount}
                  </span>
                )
              }
            />
          )}
        />
      </li>
      <li>
        <NavLink
          href="/settings"
          icon={
            <Avatar src="" name={name} size="x-small" purpose="decoration" />
          }
          title={name}
        />
      </li>
    </ul>
  );
}

function useUserName(): string {
  const identityApi = useApi(identityApiRef);
  const [name, setName] = useState('');
  useEffect(() => {
    let isCurrent = true;
    Promise.all([
      identityApi.getProfileInfo(),
      identityApi.getBackstageIdentity(),
    ]).then(([profile, { userEntityRef }]) => {
      if (isCurrent) {
        setName(profile.displayName ?? userEntityRef.split('/').pop() ?? '');
      }
    });
    return () => {
      isCurrent = false;
    };
  }, [identityApi]);
  return name;
}
