/**
 * Sessions and registration: they run on the main thread over the account tables. Source:
 * accounts.md sections 1 to 4.
 */

import { assert } from '../../core/assert.ts'
import {
  EMPIRES,
  empireIndex,
  itemIndex,
  STARTER,
  type StarterKit,
  shipClassIndex,
} from '../../core/catalog/index.ts'
import { rowsOf, type TableDef } from '../../core/columns.ts'
import { immediate, session } from '../../core/command.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { Container, namedContainer, Stack } from '../../core/goods.ts'
import { Account, namedAccount, openAccount } from '../../core/ledger.ts'
import { GOODS_FILL_MAX_PCT } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { ints, NO_PARAMS, obj, optional, str, strings, words } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import { usernameKey } from '../../core/text-rules.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { capitalOf } from '../base/model.ts'
import { creditMove } from '../log/rules.ts'
import { loadCargo } from '../ship/model.ts'
import { createShip } from '../ship/rules.ts'
import { Module, Ship } from '../ship/state.ts'
import { dockShip } from '../travel/rules.ts'
import { loginLinkPollSchema, loginSchema, registerSchema } from './commands.ts'
import { checkUsername, playerId, reputationBaseline, storedUsername, walletOf } from './model.ts'
import { EMPIRES_WIDTH, Player, USERNAMES } from './state.ts'

/** Longest text a client may send as a name or a secret; the rules say more. */
const SENT_CHARACTERS_MAX = 200

const base = { category: 'authentication' } as const
const text = (description: string, example: string) =>
  str(description, { max: SENT_CHARACTERS_MAX, example })

/** Optional by shape only: without it the answer is `registration_code_required`. */
const registrationCode = optional(
  text('Registration code of your account page. Required.', 'a-code-from-your-account-page'),
)

const registration = session({
  ...base,
  name: 'register',
  v2: { tool: 'game_auth', action: 'register' },
  summary: 'Create a player; the answer shows the password once.',
  params: obj({
    username: text('User name, 3 to 24 characters.', 'Ada Lovelace'),
    empire: text('solarian, voidborn, crimson, nebula or outerrim.', 'solarian'),
    registration_code: registrationCode,
  }),
  result: registerSchema,
  errors: words(
    'invalid_username username_taken invalid_empire registration_code_required',
    'invalid_registration_code already_authenticated limit_reached rate_limited',
  ),
  open: true,
})

const login = session({
  ...base,
  name: 'login',
  v2: { tool: 'game_auth', action: 'login' },
  summary: 'Log in with user name and password.',
  params: obj({
    username: text('User name.', 'Ada Lovelace'),
    password: text(
      'The password given at registration, 64 hexadecimal characters.',
      'f'.repeat(64),
    ),
  }),
  result: loginSchema,
  errors: ['invalid_credentials', 'already_authenticated', 'rate_limited'],
  open: true,
})

const loginToken = session({
  ...base,
  name: 'login_token',
  v2: { tool: 'game_auth', action: 'login_token' },
  summary: 'Log in with a single-use token of the website.',
  params: obj({ token: text('Token, valid for five minutes.', 'f'.repeat(64)) }),
  result: loginSchema,
  errors: ['invalid_token', 'already_authenticated', 'rate_limited'],
  open: true,
})

const loginLink = session({
  ...base,
  name: 'login_link',
  v2: { tool: 'game_auth', action: 'login_link' },
  summary: 'Start a login that a human approves in a browser; no password needed.',
  params: NO_PARAMS,
  result: obj({
    ...strings('device_code', 'user_code', 'verification_uri', 'verification_uri_complete'),
    ...strings('instructions'),
    ...ints('interval', 'expires_in'),
  }),
  errors: ['already_authenticated', 'rate_limited'],
  open: true,
})

const loginLinkPoll = session({
  ...base,
  name: 'login_link_poll',
  v2: { tool: 'game_auth', action: 'login_link_poll' },
  summary: 'Ask whether the human has approved the login; logs in once they have.',
  params: obj({ device_code: text(say`The device_code of {login_link}.`, 'f'.repeat(64)) }),
  result: loginLinkPollSchema,
  errors: ['access_denied', 'expired_token', 'already_authenticated', 'rate_limited'],
  open: true,
})

const message = obj(strings('message'))

const logout = session({
  ...base,
  name: 'logout',
  v2: { tool: 'game_auth', action: 'logout' },
  summary: 'Log out; your state is saved.',
  params: NO_PARAMS,
  result: message,
  errors: ['not_authenticated'],
})

const claim = session({
  ...base,
  name: 'claim',
  v2: { tool: 'game_auth', action: 'claim' },
  summary: 'Link this player to a website account, once and for all.',
  params: obj({ registration_code: registrationCode }),
  result: message,
  errors: words(
    'registration_code_required invalid_registration_code already_claimed limit_reached',
    'rate_limited',
  ),
})

export const sessionCommands = [
  registration,
  login,
  loginToken,
  loginLink,
  loginLinkPoll,
  logout,
  claim,
]

/* Registration */

/** Tables that keep some rows for those who wake up in another ship: that must not fail. */
const KEPT_FREE: ReadonlySet<TableDef> = new Set<TableDef>([Ship, Module, Container])

/** Refuses when a table that the new player fills has no room left. */
function checkRoom(view: WorldView, kit: StarterKit): Failure<'limit_reached'> | undefined {
  const needed = [
    [Player, 1],
    [Ship, 1],
    [Account, 1],
    [Container, 1],
    [Module, kit.modules.length],
    [Stack, kit.cargo.length * 2],
  ] as const
  for (const [table, rows] of needed) {
    const all = rowsOf(table, view.maxEntities)
    const most = KEPT_FREE.has(table) ? divFloor(all * GOODS_FILL_MAX_PCT, 100) : all
    if (view.countOf(table) + rows > most) {
      return fail('limit_reached', { full: table.name }, 'This world takes no more players.')
    }
  }
  return undefined
}

function writeIdentity(world: World, player: Eid, username: string, empire: number): void {
  const row = EMPIRES[empire]
  const columns = world.write(Player)
  const rgb = (color: string) => Number.parseInt(color.slice(1), 16)
  world.setText(Player, 'username', player, username)
  columns.empire[player] = empire
  columns.wallet[player] = openAccount(world)
  columns.primaryColor[player] = rgb(row.primary_color)
  columns.secondaryColor[player] = rgb(row.secondary_color)
  columns.createdMs[player] = world.wallMs
  columns.citizenSinceMs[player * EMPIRES_WIDTH + empire] = Math.max(1, world.wallMs)
  for (let index = 0; index < EMPIRES.length; index++) {
    columns.reputation[player * EMPIRES_WIDTH + index] = reputationBaseline(world, player, index)
  }
  world.records(USERNAMES).set(usernameKey(username), columns.seq[player])
}

function indexOfGood(id: string): number {
  const good = itemIndex(id)
  assert(good >= 0, `the starter kit names the unknown good ${id}`)
  return good
}

/** Ship, cargo and credits of a new player, docked at the base. */
function equip(world: World, player: Eid, kit: StarterKit, base: Eid): void {
  const ship = createShip(world, {
    owner: player,
    shipClass: shipClassIndex(kit.ship_class),
    modules: kit.modules.map(indexOfGood),
  })
  world.write(Player).ship[player] = ship
  world.write(Player).homeBase[player] = base
  for (const { item_id, quantity } of kit.cargo) {
    loadCargo(world, ship, namedContainer('starter_kit'), indexOfGood(item_id), quantity)
  }
  dockShip(world, ship, base)
  const wallet = walletOf(world, player)
  const summary = `Starting grant of ${EMPIRES[world.read(Player).empire[player]].name}.`
  const grant = namedAccount('starting_grant')
  creditMove(world, player, grant, wallet, kit.credits, 'session', 'starting_grant', summary)
}

interface AccountLink {
  readonly code?: string
  readonly accountId?: string
}

/**
 * The account row, written in the transaction of this batch; the engine adds the secret of the
 * command.
 */
function writeAccount(world: World, player: Eid, username: string, link: AccountLink): void {
  const { empire, seq } = world.read(Player)
  world.outbox.writes.push({
    method: 'createPlayer',
    ref: world.running.ref,
    args: {
      playerId: playerId(world, player),
      number: seq[player],
      username,
      usernameKey: usernameKey(username),
      empire: EMPIRES[empire[player]].id,
      ...(link.code === undefined ? {} : { code: link.code }),
      ...(link.accountId === undefined ? {} : { accountId: link.accountId }),
    },
  })
}

export const register = immediate({
  name: 'internal:register',
  summary: 'Makes a player; main answers register from it.',
  category: 'internal',
  open: true,
  needs: [],
  params: obj({
    username: str('User name as sent.'),
    empire: str('Empire id as sent.'),
    code: optional(str('Registration code.')),
    accountId: optional(str('Account the code belongs to.')),
  }),
  result: obj({ ...ints('player'), ...strings('player_id', 'username') }),
  errors: ['invalid_empire', 'invalid_username', 'username_taken', 'limit_reached'],
  run(world, _player, { username: sent, empire: empireId, code, accountId }) {
    const empire = empireIndex(empireId)
    const kit = STARTER.find((row) => row.empire === empireId)
    if (empire < 0 || !kit) {
      return fail('invalid_empire', { empires: EMPIRES.map((row) => row.id) })
    }
    const refused = checkUsername(world, sent) ?? checkRoom(world, kit)
    if (refused) return refused
    const base = capitalOf(world, empire)
    const username = storedUsername(sent)
    const player = world.take(Player)
    writeIdentity(world, player, username, empire)
    equip(world, player, kit, base)
    writeAccount(world, player, username, { code, accountId })
    return ok({
      player: world.read(Player).seq[player],
      player_id: playerId(world, player),
      username,
    })
  },
})
