/** Citizenship: applications, decisions and effects. Source: factions.md sections 9 and 10. */
import { beforeEach, describe, expect, test } from 'vitest'
import { EMPIRES } from '../../../core/catalog/index.ts'
import type { MutationDef } from '../../../core/command.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { isCitizen, reputationBaseline, walletOf } from '../../../systems/account/model.ts'
import { EMPIRES_WIDTH, Player } from '../../../systems/account/state.ts'
import { empireTreasury } from '../../../systems/base/model.ts'
import { escrowOf, policyRefusal } from '../../../systems/citizenship/model.ts'
import { CITIZEN_DECISION_TICKS, CitizenPetition } from '../../../systems/citizenship/state.ts'
import { salesTaxIn } from '../../../systems/tax/model.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { setCredits } from '../law/scene.ts'

onSmallMap()

const [SOLARIAN, CRIMSON, OUTERRIM] = [0, 2, 4]

let small: SmallWorld
let ada: Eid
let ben: Eid
beforeEach(async () => {
  small = await smallWorld()
  ada = small.join('Ada', 'solarian')
  ben = small.join('Ben', 'outerrim')
  small.takeEmissions()
})

const setReputation = (player: Eid, empire: number, points: number): void => {
  small.world.write(Player).reputation[player * EMPIRES_WIDTH + empire] = points
}
const credits = (player: Eid): number => balanceOf(small.world, walletOf(small.world, player))
const treasury = (empire: number): number =>
  balanceOf(small.world, empireTreasury(small.world, empire))
const escrowed = (): number => {
  const escrow = escrowOf(small.world)
  return escrow === 0 ? 0 : balanceOf(small.world, escrow)
}
const act = (player: Eid, action: string, empire_id?: string) =>
  small.act(player, 'citizenship', { action, empire_id })
const list = (player: Eid) => {
  const answer = small.ask(player, 'citizenship', { action: 'list' })
  if (!answer.ok) throw new Error(answer.message)
  return answer.result as {
    origin: string
    citizenships: { empire_id: string }[]
    pending_petitions: { id: string; empire_id: string; status: string }[]
    recent_decisions: { status: string; decision: string }[]
    empires: { empire_id: string; eligible: boolean; ineligible_reason?: string }[]
  }
}
const citizenshipsOf = (player: Eid) => list(player).citizenships.map(({ empire_id }) => empire_id)

/** Expects a mutation to be refused and to leave the world as it was. */
function refuses(player: Eid, [action, empire_id]: [string, string?], refusal: string): void {
  const def = small.registry.commands.get('citizenship') as MutationDef
  const before = small.hash()
  expect(def.run(small.world, player, { action, empire_id })).toMatchObject({ code: refusal })
  expect(small.hash()).toBe(before)
}

/** Skips the hour of a petition, and runs the tick in which it is decided. */
function decideNow(): void {
  skipToDecision()
  small.ticks(1)
}

describe('a new player', () => {
  test('is a citizen of their origin, with its taxes and baseline', () => {
    expect(list(ada)).toMatchObject({
      origin: 'solarian',
      citizenships: [{ empire_id: 'solarian' }],
      pending_petitions: [],
      recent_decisions: [],
    })
    expect(reputationBaseline(small.world, ada, SOLARIAN)).toBe(20)
    expect(reputationBaseline(small.world, ada, CRIMSON)).toBe(10)
    expect(salesTaxIn(small.world, ada, SOLARIAN)).toEqual({ bps: 100, reason: 'citizen' })
    expect(salesTaxIn(small.world, ada, CRIMSON)).toEqual({ bps: 300, reason: 'foreign' })
  })
})

describe('list', () => {
  test('lists the requirements of each empire, and whether the player meets them', () => {
    const rowOf = (empire: string) =>
      list(ada).empires.find(({ empire_id }) => empire_id === empire)
    expect(list(ada).empires.map(({ empire_id }) => empire_id)).toEqual(EMPIRES.map(({ id }) => id))
    expect(rowOf('solarian')).toMatchObject({ is_citizen: true, eligible: false, fee: 5_000 })
    expect(rowOf('crimson')).toMatchObject({
      fee: 10_000,
      min_balance: 0,
      min_reputation: 50,
      exclusive: true,
      auto_approve: false,
      open: true,
      has_pending: false,
      is_citizen: false,
      your_reputation: 10,
      eligible: false,
    })
    expect(rowOf('crimson')?.ineligible_reason).not.toBe('')
    setCredits(small.world, ada, 500)
    expect(rowOf('outerrim')).toMatchObject({ eligible: true, fee: 500, min_reputation: 10 })
    expect(rowOf('outerrim')).not.toHaveProperty('ineligible_reason')
  })

  test('is a query on v1 and on v2', () => {
    const before = small.hash()
    list(ada)
    const v2 = small.ask(ada, 'v2:game_citizenship/list')
    expect(v2).toEqual(small.ask(ada, 'citizenship', { action: 'list' }))
    expect(small.hash()).toBe(before)
  })
})

describe('apply', () => {
  test('is granted at once by an empire without review', () => {
    setCredits(small.world, ada, 700)
    const before = treasury(OUTERRIM)
    expect(act(ada, 'apply', 'OuterRim ')).toMatchObject({
      result: {
        empire_id: 'outerrim',
        status: 'granted',
        fee_paid: 500,
        renounced: [],
        citizenship: { empire_id: 'outerrim' },
        petition: { status: 'granted', player_name: 'Ada', player_home_empire: 'solarian' },
      },
    })
    expect(credits(ada)).toBe(200)
    expect(treasury(OUTERRIM)).toBe(before + 500)
    expect(escrowed()).toBe(0)
    expect(citizenshipsOf(ada)).toEqual(['solarian', 'outerrim'])
    expect(list(ada).recent_decisions).toMatchObject([{ status: 'granted' }])
    expect(salesTaxIn(small.world, ada, OUTERRIM)).toEqual({ bps: 0, reason: 'citizen' })
    expect(reputationBaseline(small.world, ada, OUTERRIM)).toBe(20)
  })

  test('is pending at an empire with review, with its fee in escrow and a petition filed', () => {
    setCredits(small.world, ben, 30_000)
    setReputation(ben, SOLARIAN, 40)
    expect(act(ben, 'apply', 'solarian')).toMatchObject({
      result: {
        status: 'pending',
        fee_paid: 5_000,
        petition: {
          empire_id: 'solarian',
          status: 'pending',
          credits: 25_000,
          reputation: 40,
          held_citizenships: ['outerrim'],
        },
      },
    })
    expect([credits(ben), escrowed()]).toEqual([25_000, 5_000])
    expect(list(ben).pending_petitions).toMatchObject([{ empire_id: 'solarian' }])
    const filed = (small.store.archive.rows.get('filePetition') ?? []).map(({ args }) => args)
    expect(filed).toMatchObject([{ kind: 'citizenship', empire: 'solarian', username: 'Ben' }])
  })

  test('is recorded in the action log with its fee', () => {
    setCredits(small.world, ada, 700)
    act(ada, 'apply', 'outerrim')
    const rows = (small.store.archive.rows.get('logActions') ?? []).flatMap(
      ({ args }) => args.rows as { eventType: string; data: object }[],
    )
    expect(rows.find(({ eventType }) => eventType === 'other.citizenship_fee')).toMatchObject({
      data: { delta: -500, balance: 200 },
    })
  })

  test('is refused with the code of the reason, and changes nothing', () => {
    setCredits(small.world, ben, 30_000)
    refuses(ben, ['apply'], 'invalid_payload')
    refuses(ben, ['apply', 'atlantis'], 'invalid_empire')
    refuses(ben, ['apply', '__proto__'], 'invalid_empire')
    refuses(ben, ['apply', 'outerrim'], 'already_citizen')
    refuses(ben, ['apply', 'solarian'], 'insufficient_reputation')
    setReputation(ben, SOLARIAN, 40)
    setCredits(small.world, ben, 29_999)
    refuses(ben, ['apply', 'solarian'], 'insufficient_balance')
    setCredits(small.world, ben, 4_999)
    refuses(ben, ['apply', 'solarian'], 'no_credits')
    setCredits(small.world, ben, 40_000)
    expect(act(ben, 'apply', 'solarian').ok).toBe(true)
    refuses(ben, ['apply', 'solarian'], 'already_pending')
  })

  test('is refused citizenship_closed while the empire takes no citizens', () => {
    const voidborn = EMPIRES[1]
    expect(policyRefusal(voidborn, 0, 20)).toBeUndefined()
    const closed = { ...voidborn, policy: { ...voidborn.policy, citizenship_open: false } }
    expect(policyRefusal(closed, 0, 20)).toMatchObject({ code: 'citizenship_closed' })
  })

  test('is refused rate_limited after ten petitions a day', () => {
    setCredits(small.world, ben, 40_000)
    setReputation(ben, SOLARIAN, 40)
    for (let i = 0; i < 10; i++) {
      expect(act(ben, 'apply', 'solarian').ok).toBe(true)
      expect(act(ben, 'withdraw', 'solarian').ok).toBe(true)
    }
    refuses(ben, ['apply', 'solarian'], 'rate_limited')
    expect(credits(ben)).toBe(40_000)
    small.world.tick += 8_640
    expect(act(ben, 'apply', 'solarian').ok).toBe(true)
  })
})

describe('an exclusive empire', () => {
  test('ends all other citizenships when it grants its own', () => {
    setCredits(small.world, ada, 20_000)
    setReputation(ada, CRIMSON, 50)
    expect(act(ada, 'apply', 'crimson')).toMatchObject({ result: { status: 'pending' } })
    expect(citizenshipsOf(ada)).toEqual(['solarian'])
    decideNow()
    expect(citizenshipsOf(ada)).toEqual(['crimson'])
    expect(treasury(CRIMSON)).toBeGreaterThanOrEqual(10_000)
    expect(reputationBaseline(small.world, ada, SOLARIAN)).toBe(10)
    expect(list(ada).origin).toBe('solarian')
  })
})

describe('the decision', () => {
  beforeEach(() => {
    setCredits(small.world, ben, 30_000)
    setReputation(ben, SOLARIAN, 40)
    act(ben, 'apply', 'solarian')
    small.takeEmissions()
  })

  test('is made after 360 ticks, not before', () => {
    small.ticks(1)
    small.world.tick += CITIZEN_DECISION_TICKS - 3
    small.ticks(1)
    expect(citizenshipsOf(ben)).toEqual(['outerrim'])
    const before = treasury(SOLARIAN)
    small.ticks(1)
    expect(citizenshipsOf(ben)).toEqual(['solarian', 'outerrim'])
    expect([treasury(SOLARIAN), escrowed(), credits(ben)]).toEqual([before + 5_000, 0, 25_000])
    const emissions = small.takeEmissions().filter(({ type }) => type === 'empire_notice')
    expect(emissions.map(({ payload }) => payload)).toMatchObject([
      { kind: 'citizenship', empire_id: 'solarian' },
    ])
    expect(list(ben)).toMatchObject({
      pending_petitions: [],
      recent_decisions: [{ status: 'granted' }],
    })
  })

  test.each([
    ['reputation', () => setReputation(ben, SOLARIAN, 39)],
    ['credits', () => setCredits(small.world, ben, 24_999)],
  ])('is a rejection with the fee refunded for want of %s', (_, spoil) => {
    spoil()
    const before = credits(ben)
    decideNow()
    expect(citizenshipsOf(ben)).toEqual(['outerrim'])
    expect([credits(ben), escrowed()]).toEqual([before + 5_000, 0])
    expect(list(ben).recent_decisions).toMatchObject([{ status: 'rejected' }])
  })

  test('is postponed while the wallet cannot hold the refund', () => {
    setReputation(ben, SOLARIAN, 0)
    const room = Number.MAX_SAFE_INTEGER - 10 - credits(ben)
    post(small.world, namedAccount('missions'), walletOf(small.world, ben), room)
    decideNow()
    expect(escrowed()).toBe(5_000)
    refuses(ben, ['withdraw', 'solarian'], 'amount_too_large')
    post(small.world, walletOf(small.world, ben), namedAccount('missions'), room)
    setCredits(small.world, ben, 10)
    decideNow()
    expect([credits(ben), escrowed()]).toEqual([5_010, 0])
  })

  test('is made in a restored world too', async () => {
    const restored = await small.reload()
    expect(restored.hash()).toBe(small.hash())
    restored.world.tick += CITIZEN_DECISION_TICKS - 1
    restored.ticks(1)
    expect(isCitizen(restored.world, ben, SOLARIAN)).toBe(true)
  })
})

describe('withdraw', () => {
  test('refunds the fee, and a later petition waits its full time', () => {
    setCredits(small.world, ben, 30_000)
    setReputation(ben, SOLARIAN, 40)
    act(ben, 'apply', 'solarian')
    expect(act(ben, 'withdraw', 'solarian')).toMatchObject({
      result: { status: 'withdrawn', fee_refunded: 5_000 },
    })
    expect([credits(ben), escrowed(), small.world.countOf(CitizenPetition)]).toEqual([30_000, 0, 0])
    act(ben, 'apply', 'solarian')
    small.world.tick += CITIZEN_DECISION_TICKS - 3
    small.ticks(1)
    expect(citizenshipsOf(ben)).toEqual(['outerrim'])
    small.ticks(2)
    expect(citizenshipsOf(ben)).toEqual(['solarian', 'outerrim'])
  })

  test('refuses no_pending', () => {
    refuses(ben, ['withdraw', 'solarian'], 'no_pending')
    refuses(ben, ['withdraw', 'atlantis'], 'invalid_empire')
  })
})

describe('renounce', () => {
  test('ends a citizenship without a refund, after which the rate of the stateless applies', () => {
    const before = credits(ada)
    expect(act(ada, 'renounce', 'solarian')).toMatchObject({
      result: {
        status: 'renounced',
        renounced: ['solarian'],
        empire_id: 'solarian',
        origin: 'solarian',
        citizenships: [],
      },
    })
    expect(citizenshipsOf(ada)).toEqual([])
    expect(credits(ada)).toBe(before)
    expect(salesTaxIn(small.world, ada, CRIMSON)).toEqual({ bps: 400, reason: 'stateless' })
    refuses(ada, ['renounce', 'solarian'], 'not_citizen')
    refuses(ada, ['renounce', 'nebula'], 'not_citizen')
    expect(list(ada).origin).toBe('solarian')
  })
})

test('v2 has an address for each action, which takes the empire as target', () => {
  setCredits(small.world, ada, 700)
  const v2 = (action: string, empire_id: string) =>
    small.act(ada, `v2:game_citizenship/${action}`, { empire_id })
  expect(v2('apply', 'outerrim')).toMatchObject({ result: { status: 'granted' } })
  expect(v2('renounce', 'outerrim')).toMatchObject({ result: { status: 'renounced' } })
  expect(v2('withdraw', 'outerrim')).toMatchObject({ code: 'no_pending' })
  for (const action of ['apply', 'withdraw', 'renounce']) {
    const def = small.registry.commands.get(`v2:game_citizenship/${action}`) as MutationDef
    expect(def.v2?.rename).toEqual({ empire_id: 'target' })
  }
})

/** Skips to the tick before the next decision. */
function skipToDecision(): void {
  const { alive, dueTick } = small.world.read(CitizenPetition)
  const due: number[] = []
  for (let row = 1; row <= small.world.highOf(CitizenPetition); row++) {
    if (alive[row] === 1) due.push(dueTick[row])
  }
  if (due.length > 0) small.world.tick = Math.min(...due) - 1
}

test('random applications create and destroy no credits', () => {
  const actions = ['apply', 'apply', 'withdraw', 'renounce'] as const
  for (const player of [ada, ben]) {
    setCredits(small.world, player, 200_000)
    for (const empire of EMPIRES.keys()) setReputation(player, empire, 60)
  }
  let state = 7
  const randomBelow = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const totalCredits = () =>
    [ada, ben].reduce((sum, player) => sum + credits(player), escrowed()) +
    EMPIRES.reduce((sum, _, empire) => sum + treasury(empire), 0)
  const before = totalCredits()
  let [granted, refunded] = [0, 0]
  for (let i = 0; i < 120; i++) {
    const player = [ada, ben][randomBelow(2)]
    const done = act(player, actions[randomBelow(4)], EMPIRES[randomBelow(5)].id)
    if (done.ok && (done.result as { status: string }).status === 'granted') granted++
    if (done.ok && (done.result as { status: string }).status === 'withdrawn') refunded++
    if (i % 10 === 9) skipToDecision()
    expect(totalCredits()).toBe(before)
  }
  expect(granted).toBeGreaterThan(0)
  expect(refunded).toBeGreaterThan(0)
})
