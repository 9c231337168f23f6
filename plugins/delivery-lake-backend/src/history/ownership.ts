import {
  AuthService,
  BackstageCredentials,
  HttpAuthService,
  PermissionsService,
  UserInfoService,
} from '@backstage/backend-plugin-api';
import {
  AuthorizeResult,
  BasicPermission,
} from '@backstage/plugin-permission-common';

/** Backstage services for authentication and permissions. */
export interface AccessServices {
  auth: AuthService;
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  userInfo: UserInfoService;
}

/** Returns whether credentials belong to a member of a team, or to a holder of a permission. */
export async function ownsOrMay(
  credentials: BackstageCredentials,
  options: Omit<AccessServices, 'httpAuth'> & {
    /** Entity ref of the group; null if there is no owner. */
    team: string | null;
    permission: BasicPermission;
  },
): Promise<boolean> {
  const { auth, permissions, userInfo, team, permission } = options;
  if (team && auth.isPrincipal(credentials, 'user')) {
    const { ownershipEntityRefs } = await userInfo.getUserInfo(credentials);
    if (ownershipEntityRefs.includes(team)) {
      return true;
    }
  }
  const [{ result }] = await permissions.authorize([{ permission }], {
    credentials,
  });
  return result === AuthorizeResult.ALLOW;
}
