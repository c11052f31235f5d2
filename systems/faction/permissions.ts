/** What roles allow, and the four roles a faction begins with. Source: factions.md section 2. */

/** The order is the bit in a role's permissions, which are world state: append only. */
export const PERMISSIONS = [
  'invite',
  'kick',
  'promote',
  'manage_roles',
  'manage_diplomacy',
  'manage_bases',
  'manage_treasury',
  'broadcast',
  'manage_facilities',
  'officer_room_access',
] as const
export type Permission = (typeof PERMISSIONS)[number]

export const permissionBit = (permission: Permission): number =>
  1 << PERMISSIONS.indexOf(permission)

export const bitsOf = (permissions: readonly Permission[]): number =>
  permissions.reduce((bits, permission) => bits | permissionBit(permission), 0)

export const ALL_PERMISSIONS = bitsOf(PERMISSIONS)

/** As the wire shows the permissions of a role. */
export const renderPermissions = (bits: number): Record<Permission, boolean> =>
  Object.fromEntries(
    PERMISSIONS.map((permission) => [permission, (bits & permissionBit(permission)) !== 0]),
  ) as Record<Permission, boolean>

export interface Role {
  readonly number: number
  readonly name: string
  readonly priority: number
  readonly permissions: number
}

export const RECRUIT = 1
export const MEMBER = 2
export const OFFICER = 3
export const LEADER = 4

const NOT_OF_OFFICERS = bitsOf(['promote', 'manage_roles', 'manage_diplomacy'])

/** Row i has number i+1; their names are their wire ids. */
export const DEFAULT_ROLES: readonly Role[] = [
  { number: RECRUIT, name: 'recruit', priority: 1, permissions: 0 },
  { number: MEMBER, name: 'member', priority: 10, permissions: 0 },
  {
    number: OFFICER,
    name: 'officer',
    priority: 50,
    permissions: ALL_PERMISSIONS & ~NOT_OF_OFFICERS,
  },
  { number: LEADER, name: 'leader', priority: 100, permissions: ALL_PERMISSIONS },
]

export const isDefaultRole = (role: number): boolean => role >= 1 && role <= DEFAULT_ROLES.length
