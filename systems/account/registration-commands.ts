/** Registers new players, with ship, goods, credits and account. Source: accounts.md section 1. */
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
import { immediate } from '../../core/command.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { Container, namedContainer, Stack } from '../../core/goods.ts'
import { Account, namedAccount, openAccount } from '../../core/ledger.ts'
import { GOODS_FILL_MAX_PCT } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { ints, obj, optional, str, strings } from '../../core/params.ts'
import { usernameKey } from '../../core/text-rules.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { capitalOf } from '../base/model.ts'
import { creditMove } from '../log/rules.ts'
import { loadCargo } from '../ship/model.ts'
import { createShip } from '../ship/rules.ts'
import { Module, Ship } from '../ship/state.ts'
import { dockShip } from '../travel/rules.ts'
import { playerId, reputationBaseline, walletOf } from './model.ts'
import { EMPIRES_WIDTH, Player, USERNAMES } from './state.ts'
import { storedUsername, usernameRefusal } from './usernames-model.ts'

/** Tables that reserve rows for players who respawn in a new ship, which must not fail. */
const TABLES_WITH_RESERVE: ReadonlySet<TableDef> = new Set<TableDef>([Ship, Module, Container])

/** Refuses when a table in which the new player takes rows is full. */
function roomRefusal(view: WorldView, kit: StarterKit): Failure<'limit_reached'> | undefined {
  const needed = [
    [Player, 1],
    [Ship, 1],
    [Account, 1],
    [Container, 1],
    [Module, kit.modules.length],
    [Stack, kit.cargo.length * 2],
  ] as const
  for (const [table, rows] of needed) {
    const capacity = rowsOf(table, view.maxEntities)
    const max = TABLES_WITH_RESERVE.has(table)
      ? divFloor(capacity * GOODS_FILL_MAX_PCT, 100)
      : capacity
    if (view.countOf(table) + rows > max) {
      return fail('limit_reached', { full: table.name }, 'This world is full; try again later.')
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

/** Gives a new player ship, cargo and credits, and docks them at the base. */
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

/** Writes the account row in the transaction of this batch; the engine adds the command's secret. */
function writeAccountRow(world: World, player: Eid, username: string, link: AccountLink): void {
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
  summary: 'Creates a player; the main thread answers register with the result.',
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
    const refused = usernameRefusal(world, sent) ?? roomRefusal(world, kit)
    if (refused) return refused
    const base = capitalOf(world, empire)
    const username = storedUsername(sent)
    const player = world.take(Player)
    writeIdentity(world, player, username, empire)
    equip(world, player, kit, base)
    writeAccountRow(world, player, username, { code, accountId })
    return ok({
      player: world.read(Player).seq[player],
      player_id: playerId(world, player),
      username,
    })
  },
})
