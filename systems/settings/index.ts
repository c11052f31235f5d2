/** Settings of players: which notifications they get, and how others see them. */
import type { DomainDef } from '../../core/registry.ts'
import { settingsInRange } from './checks.ts'
import {
  getNotificationSettings,
  muteNotifications,
  setColors,
  setStatus,
  unmuteNotifications,
} from './commands.ts'
import { maskChanged } from './schemas.ts'

export const settingsDomain: DomainDef = {
  name: 'settings',
  commands: [getNotificationSettings, muteNotifications, unmuteNotifications, setStatus, setColors],
  events: [maskChanged],
  checks: [settingsInRange],
}
