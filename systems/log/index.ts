/** The domain of logs: the captain's log, and the action log that every domain writes to. */
import type { DomainDef } from '../../core/registry.ts'
import {
  captainsLogAdd,
  captainsLogDelete,
  captainsLogGet,
  captainsLogList,
  getActionLog,
} from './commands.ts'

export const logDomain: DomainDef = {
  name: 'log',
  commands: [captainsLogAdd, captainsLogDelete, captainsLogGet, captainsLogList, getActionLog],
}
