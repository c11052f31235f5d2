/**
 * Cases of the damage pipeline, worked out by hand. The parts of a line are: what it shows; the
 * weapons; settings of attacker (a.), target (t.) and ammunition (l1., l2.); and the expected
 * damage: raw (stage 5), pre-hit (7), final (12), to the shield and to the hull. By default the
 * target has 1,000 points of hull, no shield, no armour, and fires. The arithmetic is in the
 * comment above each line.
 */
import { Participant } from '../../../systems/combat/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import type { GunFigures, ShipFigures } from './ring.ts'

export interface Case {
  readonly shows: string
  readonly guns: readonly GunFigures[]
  readonly attacker: ShipFigures
  readonly target: ShipFigures
  /** Columns of Ammo, of load 1 and load 2. */
  readonly ammo: readonly Readonly<Record<string, number>>[]
  /** Every hit is critical; else none is. */
  readonly isCritical: boolean
  readonly expected: readonly number[]
}

const TABLE = `
# stage 1: the damage type
kinetic counts in full; kinetic 101; ; 101 101 101 0 101
# 101 · 1.5 = 151.5
explosive counts one and a half times; explosive 101; ; 151 151 151 0 151
thermal counts in full; thermal 101; ; 101 101 101 0 101
# 101 · 0.5 = 50.5
em counts half; em 101; ; 50 50 50 0 50
# 101 · 0.7 = 70.7
void counts seven tenths; void 101; ; 70 70 70 0 70
# the rule for shields rounds down even without one: 101 · 0.75 = 75.75, 75 / 0.75 = 100
energy counts in full, but for rounding; energy 101; ; 101 101 101 0 100

# stage 2: ammunition. 101 · 0.95 = 95.95
ammunition changes the damage; kinetic 101 load=1; l1.damagePct=-5; 95 95 95 0 95
# 33 · 1.5 = 49.5, 49 · 0.9 = 44.1
damage is rounded down by type before ammunition; explosive 33 load=1; l1.damagePct=-10; \
  44 44 44 0 44

# stage 3: 99 · 0.8 = 79.2
EM disruption takes off a fifth; kinetic 99; a.emTicks=2; 79 79 79 0 79
# 99 · 0.55 = 54.45
a short crew does less damage; kinetic 99; a.crewEffPct=55; 54 54 54 0 54
# 99 · 0.8 · 0.96 = 76.03; rounded down twice it would be 79 · 0.96 = 75.84
disruption and crew are rounded down once; kinetic 99; a.emTicks=2 a.crewEffPct=96; 76 76 76 0 76

# stage 4: 77 · 1.5 = 115.5
a critical hit does one and a half times the damage; kinetic 77; a.critPermille=1000; \
  115 115 115 0 115
# 77 · 0.8 = 61.6, 61 · 1.5 = 91.5
a critical hit counts after disruption; kinetic 77; a.critPermille=1000 a.emTicks=1; 91 91 91 0 91

# stage 5: 33 · 1.5 = 49.5 each: 98, not 99
weapons are rounded down before they are added up; explosive 33 + explosive 33; ; 98 98 98 0 98

# stage 6: 101 · 1.37 = 138.37
the skills of the attacker add damage; kinetic 101; a.weaponSkillPct=37; 101 138 138 0 138
# 101 · 1.12 = 113.12; 113 · 0.75 = 84.75, 84 / 0.75 = 112
an energy bonus adds to energy weapons; energy 101; a.energyPct=12; 101 113 113 0 112
an energy bonus adds to no other type; kinetic 101; a.energyPct=12; 101 101 101 0 101
# 101 · 1.2 = 121.2
a bonus of the wounded counts on a damaged ship; kinetic 101; a.woundedPct=20 a.hull=999; \
  101 121 121 0 121
a bonus of the wounded does not count on a whole ship; kinetic 101; a.woundedPct=20; \
  101 101 101 0 101

# stage 7: 138 · 1.07 = 147.66
offensive bonuses count after skills; kinetic 101; a.weaponSkillPct=37 a.offensePct=7; \
  101 147 147 0 147
# 101 · 1.1 = 111.1
a capital hull adds damage; kinetic 101; a.capitalPct=10; 101 111 111 0 111
# 101 · 1.25 = 126.25
rounds against large hulls count at scale 4; kinetic 101 load=1; l1.antiLargePct=25 t.scale=4; \
  101 126 126 0 126
rounds against large hulls do not count at scale 3; kinetic 101 load=1; \
  l1.antiLargePct=25 t.scale=3; 101 101 101 0 101
# 101 · 1.09 = 110.09
rounds against small hulls count at scale 2; kinetic 101 load=1; l1.antiSmallPct=9 t.scale=2; \
  101 110 110 0 110
rounds against small hulls do not count at scale 3; kinetic 101 load=1; \
  l1.antiSmallPct=9 t.scale=3; 101 101 101 0 101
# 101 · 1.3 = 131.3
rounds against drones count on a drone; kinetic 101 load=1; l1.antiDronePct=30 t.kind=drone; \
  101 131 131 0 131

# stage 8
an evading ship takes half; kinetic 101; t.stance=evade; 101 101 50 0 50
a bracing ship takes a quarter; kinetic 101; t.stance=brace; 101 101 25 0 25
a fleeing ship takes all; kinetic 101; t.stance=flee; 101 101 101 0 101
a boarding ship takes all; kinetic 101; t.stance=board; 101 101 101 0 101

# stage 9: 101 · 0.93 = 93.93
defensive bonuses reduce damage; kinetic 101; t.defensePct=7; 101 101 93 0 93

# stage 10: 101 · 0.77 = 77.77
the shields skill reduces damage with a shield up; kinetic 101; \
  t.shield=500 t.shieldSkillPct=23; 101 101 77 77 0
the shields skill does nothing without a shield; kinetic 101; t.shieldSkillPct=23; 101 101 101 0 101

# stage 11: 101 · 0.7 = 70.7
resistance counts for its own type; thermal 101; t.resist.thermal=30 t.resist.kinetic=60; \
  101 101 70 0 70
# 101 · 0.25 = 25.25
a full bucket lets a quarter through; kinetic 101; t.resist.kinetic=75; 101 101 25 0 25

# stage 12: 101 · 0.84 = 84.84
flat and adaptive reduction counts for every type; kinetic 101; t.flatPct=16; 101 101 84 0 84
# 999 · 0.93 = 929.07, 929 · 0.77 = 715.33, 715 · 0.7 = 500.5, 500 · 0.84 = 420
all buckets count, each rounded down; kinetic 999; \
  t.shield=500 t.defensePct=7 t.shieldSkillPct=23 t.resist.kinetic=30 t.flatPct=16; \
  999 999 420 420 0
# 250, 62.5, 62 · 0.25 = 15.5, 15 · 0.25 = 3.75
four full buckets multiply; kinetic 1000; \
  t.shield=500 t.defensePct=75 t.shieldSkillPct=75 t.resist.kinetic=75 t.flatPct=75; 1000 1000 3 3 0
# 25 of the stance, 6.25, 1.5
bracing and a full bucket multiply; kinetic 101; t.stance=brace t.flatPct=75; 101 101 6 0 6

# stage 13, the split: 101 - 60 = 41
a shield takes as much as it has; kinetic 101; t.shield=60; 101 101 101 60 41
a shield used up exactly lets nothing through; kinetic 101; t.shield=101; 101 101 101 101 0
# 101 · 0.75 = 75.75
energy does less to shields; energy 101; t.shield=500; 101 101 101 75 0
# 75 - 60 = 15, 15 / 0.75 = 20
energy that a shield lets through counts in full; energy 101; t.shield=60; 101 101 101 60 20
void bypasses the shield; void 100; t.shield=500; 70 70 70 0 70
# 101 · 0.4 = 40.4 around it
rounds bypass a part of the shield; kinetic 101 load=1; l1.shieldBypassPct=40 t.shield=500; \
  101 101 101 61 40
# 50 + 60, but 90 at most: 101 · 0.9 = 90.9
at most nine tenths bypass the shield; kinetic 101 load=1 shieldBypass=50; \
  l1.shieldBypassPct=60 t.shield=500; 101 101 101 11 90
# 101 · 1.5 = 151.5, 151 - 120 = 31, 31 / 1.5 = 20.67
rounds against shields take off more shield; kinetic 101 load=1; l1.shieldPct=50 t.shield=120; \
  101 101 101 120 20
# 75 · 1.5 = 112.5; 101 · 1.12 = 113.12
rounds against shields count for energy weapons too; energy 101 load=1; \
  l1.shieldPct=50 t.shield=500; 101 101 101 113 0

# armour: 20 · 1.5 = 30
armour counts most against kinetic; kinetic 101; t.armor=20; 101 101 101 0 71
# 21 · 1.5 = 31.5
armour counts most against void too; void 100; t.armor=21; 70 70 70 0 39
armour counts once against explosive; explosive 100; t.armor=21; 150 150 150 0 129
armour counts once against em; em 100; t.armor=21; 50 50 50 0 29
# 21 · 0.75 = 15.75
armour counts less against energy; energy 100; t.armor=21; 100 100 100 0 85
# 21 · 0.25 = 5.25
armour counts least against thermal; thermal 100; t.armor=21; 100 100 100 0 95
# 101 / 10, rounded up
a tenth always gets through armour; kinetic 101; t.armor=500; 101 101 101 0 11
# 41 left by the shield, 30 of armour
armour meets what the shield let through; kinetic 101; t.shield=60 t.armor=20; 101 101 101 60 11
# 21 · 0.7 = 14.7, 14 · 1.5 = 21
partly melted armour counts less; kinetic 101; t.armor=21 t.meltPct=30 t.meltTicks=2; \
  101 101 101 0 80
armour melted by 100 % counts nothing; kinetic 101; t.armor=21 t.meltPct=100 t.meltTicks=2; \
  101 101 101 0 101
# 31 · 0.6 = 18.6
rounds pierce a part of the armour; kinetic 101 load=1; l1.armorBypassPct=40 t.armor=21; \
  101 101 101 0 83
# 40 + 15 + 20: 31 · 0.25 = 7.75
armour piercing of rounds, weapon and pilot adds up; kinetic 101 load=1 armorBypass=15; \
  l1.armorBypassPct=40 a.armorBypassPct=20 t.armor=21; 101 101 101 0 94
# 31 · 0.8 = 24.8
armour piercing of the pilot counts for any weapon; kinetic 101; \
  a.armorBypassPct=20 t.armor=21; 101 101 101 0 77
# 71 · 1.1 = 78.1
rounds against hulls count last; kinetic 101 load=1; l1.hullPct=10 t.armor=20; 101 101 101 0 78
a hull loses no more points than it has; kinetic 900; t.hull=120; 900 900 900 0 120

# two loads in one entry: 40 and 0 of the same, 20 · 120 / 100 = 24
two loads count in proportion to their damage; kinetic 60 load=1 + kinetic 60 load=2; \
  l1.shieldBypassPct=40 t.shield=500; 120 120 120 96 24
# (40 · 90 + 10 · 30) / 120 = 32.5; 120 · 0.32 = 38.4
the load that does more damage counts more; kinetic 90 load=1 + kinetic 30 load=2; \
  l1.shieldBypassPct=40 l2.shieldBypassPct=10 t.shield=500; 120 120 120 82 38
`

type Settings = Record<string, Record<string, string | number>>

/** Parses settings such as `t.shield=500`, by owner and name. */
function settingsOf(text: string): Settings {
  const settings: Settings = { a: {}, t: {}, l1: {}, l2: {} }
  for (const setting of text.split(/\s+/).filter(Boolean)) {
    const [, owner, name, value] = /^(a|t|l1|l2)\.([\w.]+)=(.+)$/.exec(setting) ?? []
    settings[owner][name] = Number.isNaN(Number(value)) ? value : Number(value)
  }
  return settings
}

/** Sorts figures into columns of Ship, columns of Participant, resistances and texts. */
function figuresOf(given: Readonly<Record<string, string | number>>): ShipFigures {
  const [ship, figures, resist]: Record<string, number>[] = [{}, {}, {}]
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string') texts[name] = value
    else if (name.startsWith('resist.')) resist[name.slice(7)] = value
    else if (name in Ship.columns) ship[name] = value
    else if (name in Participant.columns) figures[name] = value
    else throw new Error(`no column is called ${name}`)
  }
  if (ship.shield !== undefined) ship.shieldMax = ship.shield
  return { ...texts, ship, figures, resist } as ShipFigures
}

function gunOf(text: string): GunFigures {
  const [type, damage, ...settings] = text.trim().split(/\s+/)
  const extras = settings.map((setting) => setting.split('='))
  return {
    type: type as GunFigures['type'],
    damage: Number(damage),
    ...Object.fromEntries(extras.map(([name, value]) => [name, Number(value)])),
  }
}

function caseOf(line: string): Case {
  const [shows, guns, settings, expected] = line.split(';').map((part) => part.trim())
  const { a, t, l1, l2 } = settingsOf(settings)
  return {
    shows,
    guns: guns.split('+').map(gunOf),
    attacker: figuresOf(a),
    target: figuresOf(t),
    ammo: [l1, l2] as Record<string, number>[],
    isCritical: 'critPermille' in a,
    expected: expected.split(/\s+/).map(Number),
  }
}

export const CASES: readonly Case[] = TABLE.split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map(caseOf)
