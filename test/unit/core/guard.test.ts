/** Guards and grants: the first refusal wins, one yes is enough. */
import { expect, test } from 'vitest'
import { fail } from '../../../core/errors.ts'
import {
  defineGrant,
  defineGuard,
  firstRefusal,
  grant,
  guard,
  isGranted,
} from '../../../core/guard.ts'
import { orderContributions } from '../../../core/occurrence.ts'
import type { WorldView } from '../../../core/types.ts'

const docking = defineGuard<{ base: number }, 'access_denied' | 'station_under_attack'>('docking', {
  order: ['siege', 'station'],
})
const friendly = defineGrant<{ other: number }>('friendly')

test('a guard asks in its order until one refuses', () => {
  const domains = [
    {
      name: 'station',
      adds: [guard(docking, (_view, { base }) => (base > 1 ? fail('no_base') : undefined))],
    },
    {
      name: 'siege',
      adds: [guard(docking, (_view, { base }) => (base > 2 ? fail('in_combat') : undefined))],
    },
  ]
  const guards = orderContributions(domains, ({ adds }) => adds)
  const codes = [1, 2, 3].map(
    (base) => firstRefusal({ guards } as WorldView, docking, { base })?.code,
  )
  expect(codes).toEqual([undefined, 'no_base', 'in_combat'])
  expect(firstRefusal({ guards: new Map() } as unknown as WorldView, docking, { base: 3 })).toBe(
    undefined,
  )
})

test('a grant is given if any domain grants it, and not otherwise', () => {
  const domains = [
    { name: 'fleet', adds: [grant(friendly, (_view, { other }) => other === 1)] },
    { name: 'faction', adds: [grant(friendly, (_view, { other }) => other === 2)] },
  ]
  const grants = orderContributions(domains, ({ adds }) => adds)
  const given = [0, 1, 2].map((other) => isGranted({ grants } as WorldView, friendly, { other }))
  expect(given).toEqual([false, true, true])
  expect(isGranted({ grants: new Map() } as unknown as WorldView, friendly, { other: 1 })).toBe(
    false,
  )
})
