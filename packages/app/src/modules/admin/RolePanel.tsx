import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Details, SidePanel } from '@slipway/design-system';
import type { Role } from '@slipway/entity-contract';
import { EntityLinks } from '../../entities/EntityLinks';
import { appTranslationRef } from '../../translation';
import type { OfPart } from './AdminClient';

/** Shows everything that a role may do, who has it and where that is set. */
export function RolePanel(props: { role: OfPart<Role>; onClose(): void }) {
  const { role, onClose } = props;
  const { t } = useTranslationRef(appTranslationRef);
  const { name, part, groups, may, key } = role;
  return (
    <SidePanel title={`${part}: ${name}`} onClose={onClose}>
      <div className="slw-AdminStack slw-AdminPanel">
        <Details
          items={[
            { label: t('admin.part'), value: part },
            ...(groups.length > 0
              ? [
                  {
                    label: t('admin.roles.groups'),
                    value: <EntityLinks refs={groups} />,
                  },
                ]
              : []),
            ...(key
              ? [{ label: t('admin.roles.key'), value: <code>{key}</code> }]
              : []),
          ]}
        />
        <section>
          <h3 className="slw-AdminHeading">{t('admin.roles.may')}</h3>
          <ul className="slw-AdminList">
            {may.map(permission => (
              <li key={permission}>{permission}</li>
            ))}
          </ul>
        </section>
      </div>
    </SidePanel>
  );
}
