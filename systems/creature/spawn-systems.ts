/**
 * Where creatures come from: herds are laid out with the world, by what each place offers, and
 * keep up their numbers by themselves (herds-systems.ts). Source: combat.md section 13; numbers
 * ours.
 */
import { assert } from '../../core/assert.ts'
import { HABITATS, type Habitat } from '../../core/catalog/creature-lines.ts'
import { CREATURES, shipClassIndex } from '../../core/catalog/index.ts'
import { rowsOf } from '../../core/columns.ts'
import { holdsNoMoreGoods } from '../../core/goods.ts'
import { CREATURES_SHARE_PCT, HERDS_PER_SYSTEM_MAX, TABLE_FILL_MAX_PCT } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { createShip, recompute } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { poisOf } from '../travel/model.ts'
import { place } from '../travel/rules.ts'
import { POI_TYPES, Poi, StarSystem } from '../travel/state.ts'
import { enlist } from './rules.ts'
import { Creature, Herd, Wild } from './state.ts'

/** The hull that stands for a body: none of its figures but those of the kind are used. */
const BODY = 'messenger'
/** Of the places that suit somebody, so many have a herd. */
const HERD_CHANCE_PCT = 30
const LAY = hashText('creature.lay')

const suits = (text: string): text is Habitat => (HABITATS as readonly string[]).includes(text)

/**
 * What a place offers to live on; undefined where nothing lives: hidden places, bases, where jumps
 * arrive, and arenas.
 */
export function habitatOf(view: WorldView, poi: Eid): Habitat | undefined {
  const { type, class: kind, hidden, base, system } = view.read(Poi)
  const isEntry = view.read(StarSystem).entryPoi[system[poi]] === poi
  const name = view.texts.get(kind[poi])
  if (hidden[poi] === 1 || base[poi] !== 0 || isEntry || name === 'arena') return undefined
  if (suits(name)) return name
  const plain = POI_TYPES[type[poi]]
  return suits(plain) ? plain : undefined
}

/** Kinds that live at a place: indices into CREATURES. */
export function kindsAt(view: WorldView, poi: Eid): number[] {
  const habitat = habitatOf(view, poi)
  const police = view.read(StarSystem).police[view.read(Poi).system[poi]]
  if (habitat === undefined) return []
  return CREATURES.flatMap((row, index) =>
    row.habitats.includes(habitat) && police <= row.policeMax ? [index] : [],
  )
}

/** True while the tables have room for another creature beside what players will need. */
export function hasRoom(view: WorldView): boolean {
  const share = (rows: number, pct: number): number => divFloor(rows * pct, 100)
  const ships = rowsOf(Ship, view.maxEntities)
  const rows = rowsOf(Creature, view.maxEntities)
  const most = Math.min(share(ships, CREATURES_SHARE_PCT), share(rows, TABLE_FILL_MAX_PCT))
  return (
    view.countOf(Creature) < most &&
    view.countOf(Ship) < share(ships, TABLE_FILL_MAX_PCT) &&
    !holdsNoMoreGoods(view)
  )
}

export interface NewCreature {
  /** Index into CREATURES. */
  readonly kind: number
  readonly poi: Eid
  /** 0: a stray. */
  readonly herd: Row
}

/** A new creature at a place, whole; a row of `Creature`. The caller has seen to room. */
export function makeCreature(world: World, plan: NewCreature): Row {
  const { kind, poi, herd } = plan
  assert(CREATURES[kind] !== undefined, `there is no kind ${kind} of creature`)
  const shipClass = shipClassIndex(BODY)
  const ship = createShip(world, { owner: 0, shipClass, modules: [], issue: true })
  const creature = world.take(Creature)
  const row = world.write(Creature)
  row.ship[creature] = ship
  row.kind[creature] = kind
  row.herd[creature] = herd
  world.write(Wild).creature[ship] = creature
  if (herd !== 0) world.write(Herd).count[herd]++
  const body = world.write(Ship)
  body.crewFit[ship] = 0
  world.setText(Ship, 'name', ship, CREATURES[kind].name)
  recompute(world, ship)
  body.hull[ship] = body.hullMax[ship]
  body.shield[ship] = 0
  enlist(world, creature)
  place(world, ship, poi)
  return creature
}

/** Another member of a herd, where that grazes. */
export function addMember(world: World, herd: Row): Row {
  const { kind, poi, count, size } = world.read(Herd)
  assert(count[herd] < size[herd], `herd ${herd} is full`)
  return makeCreature(world, { kind: kind[herd], poi: poi[herd], herd })
}

/** Lays out the herds of a system, without members. */
function layHerds(world: World, system: Eid): Row[] {
  const { seq } = world.read(Poi)
  const herds: Row[] = []
  for (const poi of poisOf(world, system)) {
    const kinds = kindsAt(world, poi)
    const random = hash32(world.seed, LAY, seq[poi])
    const isBarren = kinds.length === 0 || drawBelow(100, random) >= HERD_CHANCE_PCT
    const isFull = world.countOf(Herd) >= rowsOf(Herd, world.maxEntities)
    if (isBarren || isFull || herds.length >= HERDS_PER_SYSTEM_MAX) continue
    const kind = kinds[drawBelow(kinds.length, hash32(random, 1))]
    const [min, max] = CREATURES[kind].herd
    const herd = world.take(Herd)
    const row = world.write(Herd)
    row.system[herd] = system
    row.poi[herd] = poi
    row.kind[herd] = kind
    row.size[herd] = min + drawBelow(max - min + 1, hash32(random, 2))
    herds.push(herd)
  }
  return herds
}

/** Fills a new world, one member a herd at a time: a world that gets full has some everywhere. */
export function populate(world: World): void {
  const herds: Row[] = []
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    herds.push(...layHerds(world, system))
  }
  const { size } = world.read(Herd)
  const most = herds.reduce((max, herd) => Math.max(max, size[herd]), 0)
  for (let nth = 0; nth < most; nth++) {
    for (const herd of herds) {
      if (nth >= size[herd]) continue
      if (!hasRoom(world)) return
      addMember(world, herd)
    }
  }
}
