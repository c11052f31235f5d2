/** What `facility help` says: read off the table of actions. */
import { list, obj, strings, Type } from '../../core/params.ts'
import type { FacilityAction } from './action.ts'

const NOTES: readonly string[] = [
  'Quarters come before all that is yours alone; a lockbox before all that is your faction’s.',
  'Credits and materials are taken when building begins; it ends ticks later by itself.',
  'Rent is due every 100 ticks. What is not paid adds up, and in the end the station takes it.',
  'Dismantling gives all materials back, in packages of 100; each takes a cargo container.',
]

export const helpSchema = obj({
  ...strings('action', 'command', 'description'),
  actions: list(
    obj({
      ...strings('action', 'description'),
      params: list(Type.String()),
    }),
  ),
  notes: list(Type.String()),
})

export const renderHelp = (actions: readonly FacilityAction[]) => ({
  action: 'help',
  command: 'facility',
  description: 'Builds, runs, upgrades and sells facilities at bases.',
  actions: actions.map(({ name, summary, required = [], optional = [] }) => ({
    action: name,
    description: summary,
    params: [...required, ...optional.map((param) => `${param}?`)],
  })),
  notes: [...NOTES],
})
