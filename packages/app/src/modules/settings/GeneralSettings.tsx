import { type ReactElement, useMemo } from 'react';
import {
  type AppTheme,
  appLanguageApiRef,
  appThemeApiRef,
  identityApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import {
  Avatar,
  Button,
  Select,
  Switch,
  ToggleButton,
  ToggleButtonGroup,
} from '@backstage/ui';
import { RiComputerLine, RiLogoutBoxRLine } from '@remixicon/react';
import { useErrorWords } from '@slipway/app-react';
import { ErrorPanel, LoadingRows, Panel } from '@slipway/design-system';
import { EntityLink, EntityLinks } from '../../entities/EntityLinks';
import { useLoaded } from '../../entities/useLoaded';
import {
  setSidebarCollapsed,
  useSidebarCollapsed,
} from '../shell/sidebarCollapse';
import { useSignOut } from '../signIn/useSignOut';
import { useObserved } from '../theme/useObserved';
import { settingsTranslationRef } from './translation';
import styles from './GeneralSettings.module.css';

/** Shows who is signed in, and lets users choose how the portal looks in this browser. */
export function GeneralSettings() {
  return (
    <div className={styles.panels}>
      <Account />
      <Appearance />
    </div>
  );
}

function Account() {
  const { t } = useTranslationRef(settingsTranslationRef);
  const identityApi = useApi(identityApiRef);
  const errorWords = useErrorWords();
  const signOut = useSignOut();
  const account = useLoaded(async () => {
    const [profile, identity] = await Promise.all([
      identityApi.getProfileInfo(),
      identityApi.getBackstageIdentity(),
    ]);
    return { profile, ...identity };
  }, [identityApi]);
  return (
    <Panel
      title={t('account.title')}
      action={
        <Button
          size="small"
          variant="secondary"
          iconStart={<RiLogoutBoxRLine size={16} />}
          onPress={signOut}
        >
          {t('account.signOut')}
        </Button>
      }
    >
      {account.state === 'loading' && (
        <LoadingRows label={t('account.loading')} rows={3} />
      )}
      {account.state === 'failed' && (
        <ErrorPanel
          title={t('account.failed')}
          message={errorWords(account.error)}
          onRetry={account.retry}
        />
      )}
      {account.state === 'ready' && <AccountFacts {...account.value} />}
    </Panel>
  );
}

function AccountFacts(props: {
  profile: { displayName?: string; email?: string; picture?: string };
  userEntityRef: string;
  ownershipEntityRefs: readonly string[];
}) {
  const { profile, userEntityRef, ownershipEntityRefs } = props;
  const { t } = useTranslationRef(settingsTranslationRef);
  const name = profile.displayName ?? userEntityRef;
  const groups = ownershipEntityRefs.filter(ref => ref !== userEntityRef);
  return (
    <div className={styles.account}>
      <Avatar
        src={profile.picture ?? ''}
        name={name}
        size="large"
        purpose="decoration"
      />
      <dl className={styles.facts}>
        <dt>{t('account.user')}</dt>
        <dd>
          <EntityLink entityRef={userEntityRef} />
        </dd>
        {profile.email && (
          <>
            <dt>{t('account.email')}</dt>
            <dd>{profile.email}</dd>
          </>
        )}
        <dt>{t('account.groups')}</dt>
        <dd>
          {groups.length > 0 ? (
            <EntityLinks refs={groups} isColumn />
          ) : (
            t('account.noGroups')
          )}
        </dd>
      </dl>
    </div>
  );
}

function Appearance() {
  const { t } = useTranslationRef(settingsTranslationRef);
  const isCollapsed = useSidebarCollapsed();
  return (
    <Panel title={t('appearance.title')}>
      <div className={styles.choices}>
        <ThemeChoice />
        <LanguageChoice />
        <div className={styles.choice}>
          <span aria-hidden>{t('appearance.sidebar')}</span>
          <Switch
            label={t('appearance.pinned')}
            isSelected={!isCollapsed}
            onChange={isPinned => setSidebarCollapsed(!isPinned)}
          />
        </div>
      </div>
    </Panel>
  );
}

/** The key of the choice to follow the system; no theme has it as its id. */
const SYSTEM = '';

function ThemeChoice() {
  const { t } = useTranslationRef(settingsTranslationRef);
  const themeApi = useApi(appThemeApiRef);
  const activeId = useObserved(
    useMemo(() => themeApi.activeThemeId$(), [themeApi]),
    () => themeApi.getActiveThemeId(),
  );
  const choices: Pick<AppTheme, 'id' | 'title' | 'icon'>[] = [
    ...themeApi.getInstalledThemes(),
    {
      id: SYSTEM,
      title: t('appearance.system'),
      icon: <RiComputerLine />,
    },
  ];
  return (
    <div className={styles.choice}>
      <span aria-hidden>{t('appearance.theme')}</span>
      <ToggleButtonGroup
        aria-label={t('appearance.theme')}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[activeId ?? SYSTEM]}
        onSelectionChange={([id]) =>
          themeApi.setActiveThemeId(id === SYSTEM ? undefined : String(id))
        }
      >
        {choices.map(({ id, title, icon }) => (
          <ToggleButton
            key={id}
            id={id}
            size="small"
            iconStart={icon as ReactElement}
          >
            {title}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </div>
  );
}

/** Offers the languages of the app; nothing while there is only one. */
function LanguageChoice() {
  const { t } = useTranslationRef(settingsTranslationRef);
  const languageApi = useApi(appLanguageApiRef);
  const language = useObserved(
    useMemo(() => languageApi.language$(), [languageApi]),
    () => languageApi.getLanguage().language,
  );
  const { languages } = languageApi.getAvailableLanguages();
  if (languages.length <= 1) {
    return null;
  }
  return (
    <div className={styles.choice}>
      <span aria-hidden>{t('appearance.language')}</span>
      <Select
        aria-label={t('appearance.language')}
        value={language}
        onChange={chosen =>
          chosen !== null && languageApi.setLanguage(String(chosen))
        }
        options={languages.map(id => ({ id, label: nameOfLanguage(id) }))}
      />
    </div>
  );
}

/** Returns what speakers of a language call it. */
function nameOfLanguage(language: string): string {
  try {
    const name = new Intl.DisplayNames([language], { type: 'language' }).of(
      language,
    );
    return name
      ? name[0].toLocaleUpperCase(language) + name.slice(1)
      : language;
  } catch {
    // Not a language tag.
    return language;
  }
}
