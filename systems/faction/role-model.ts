/** Permissions, and the four roles a faction starts with. Source: factions.md section 2. */
import { PERMISSIONS } from './schemas.ts'
import type { Role } from './state.ts'

export type Permission = (typeof PERMISSIONS)[number]

export const permissionBit = (permission: Permission): number =>
  1 << PERMISSIONS.indexOf(permission)

/** Returns the bits of several permissions. */
export const bitsOf = (permissions: readonly Permission[]): number =>
  permissions.reduce((bits, permission) => bits | permissionBit(permission), 0)

const ALL_PERMISSIONS = bitsOf(PERMISSIONS)

/** Renders the permissions of a role for the wire. */
export const renderPermissions = (bits: number): Record<Permission, boolean> =>
  Object.fromEntries(
    PERMISSIONS.map((permission) => [permission, (bits & permissionBit(permission)) !== 0]),
  ) as Record<Permission, boolean>

/* Numbers of the default roles */

export const RECRUIT = 1
export const MEMBER = 2
export const OFFICER = 3
export const LEADER = 4

const DENIED_TO_OFFICERS = bitsOf(['promote', 'manage_roles', 'manage_diplomacy'])

/** Default roles: the one with number n is at index n - 1, and its name is its id on the wire. */
export const DEFAULT_ROLES: readonly Role[] = [
  { number: RECRUIT, name: 'recruit', priority: 1, permissions: 0 },
  { number: MEMBER, name: 'member', priority: 10, permissions: 0 },
  {
    number: OFFICER,
    name: 'officer',
    priority: 50,
    permissions: ALL_PERMISSIONS & ~DENIED_TO_OFFICERS,
  },
  { number: LEADER, name: 'leader', priority: 100, permissions: ALL_PERMISSIONS },
]

export const isDefaultRole = (role: number): boolean => role >= 1 && role <= DEFAULT_ROLES.length
