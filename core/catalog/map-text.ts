/**
 * Descriptions of systems, places and stations: sentences by region and kind, which the generator
 * joins.
 */

/** First sentence of a system, in the order of REGIONS. */
export const SYSTEM_OPENINGS: readonly (readonly string[])[] = [
  [
    'A charter world’s sun, its lanes swept every third day.',
    'Seven treaties name this system; five of them agree.',
    'Old money settled here and put up railings.',
    'The beacon gives the hour, the law and the weather, in that order.',
    'Orderly, well lit, and slightly overcharged.',
    'A magistrate visits twice a year and everything is painted first.',
  ],
  [
    'The beacon here answers only if asked softly.',
    'Crews dim their lamps on arrival; nobody told them to.',
    'A Conclave ship has been holding station here for ninety years, listening.',
    'Shielded hulls drift without lights. Collisions are rare.',
    'The dark between the planets is kept like a garden.',
    'What is traded here is traded in writing, on slates, and wiped.',
  ],
  [
    'Smelter glow can be seen from two jumps away.',
    'An oath was broken here once; the crater is preserved.',
    'Forge moons turn under a low red sun.',
    'Convoys muster here and paint their names before leaving.',
    'Every rock has been claimed, fought over and claimed again.',
    'Children here learn the drop hammer before the alphabet.',
  ],
  [
    'Traffic control speaks nine languages and bills in all of them.',
    'Bright gas drifts across the lanes and is charged rent.',
    'A market day that began forty years ago has not yet closed.',
    'Freighters queue by tonnage, pilots by patience.',
    'Someone here will insure anything, including this description.',
    'A free port with a very long list of fees.',
  ],
  [
    'Thin starlight, long shadows, somebody’s washing on a line.',
    'The lamp at the dock has not gone out since the founding.',
    'Settled by one family, two goats and a broken drive.',
    'News arrives late here, which improves it.',
    'Prospectors pass through; a few stay and become the locals.',
    'There is one bar. It is also the chapel and the court.',
  ],
  [
    'Beacons were laid here by five navies and removed by none of them.',
    'Signals from every empire overlap and cancel out.',
    'The middle of the map, and the map is mostly blank.',
    'A treaty forbids warships here. Wrecks of warships mark the border.',
  ],
  [
    'A swollen sun sheds its skin, and things gather to the warmth.',
    'Dust settles on everything, grey and faintly luminous.',
    'Lights move here that belong to no ship.',
    'The star will last another million years and looks tired of it.',
  ],
  [
    'So flat that sensors report a horizon.',
    'Instruments drift a little here, always the same way.',
    'Nothing for a light minute in any direction, then a buoy, unlit.',
    'Crews report the sound of water.',
  ],
  [
    'A mutineers’ grave, still collecting.',
    'Old hulls hang in a row, tied bow to stern.',
    'The lane beacon has been repainted with a warning in six hands.',
    'Nobody who charted this system signed the chart.',
  ],
  [
    'Wreckage tumbles in hedges, sharp and patient.',
    'A battle was fought here so long ago that the mines have moss.',
    'Broken plate flowers in the light of the sun.',
    'Fly slowly; everything here has an edge.',
  ],
  [
    'Survey stakes still mark the lots nobody paid for.',
    'An empty colony dome, a lease nailed to the lock.',
    'The creditors came, looked, and went home.',
    'Half-built everything, for sale by nobody.',
  ],
]

/** Second sentence, by what the system offers. */
export const SYSTEM_FEATURES = {
  station: [
    'Ships refuel here and pretend they were going to anyway.',
    'The dock is open at all hours.',
  ],
  belt: ['Miners know it for the belt.', 'Drill lights blink along the belt.'],
  ice: ['Slabs of ice ride far out, in the blue.', 'Ice cutters work the outer field.'],
  gas: ['A cloud hangs across the inner lanes.', 'Scoop ships come for the gas.'],
  empty: ['Few stop, and fewer say why.', 'Most pilots see it only as a number on a lane.'],
} as const

export const SUNS: readonly (readonly [cls: string, text: string])[] = [
  ['yellow_dwarf', 'A steady yellow star, easy on the filters.'],
  ['orange_dwarf', 'An orange star that has never been in a hurry.'],
  ['red_dwarf', 'A small red star with a temper; flares twice a season.'],
  ['white_dwarf', 'A white cinder, hot, tiny and finished.'],
  ['blue_giant', 'A blue giant burning its inheritance.'],
  ['red_giant', 'A red giant that has already eaten two of its children.'],
  ['binary', 'Two stars turning around an argument.'],
  ['brown_dwarf', 'Almost a star. It glows a little with the effort.'],
]

export const PLANETS: readonly (readonly [cls: string, text: string])[] = [
  ['terran', 'Seas, weather, and more fences than it needs.'],
  ['desert', 'A tan world scored by dry rivers.'],
  ['ocean', 'One ocean, no shore, storms with names.'],
  ['ice_world', 'Glaciers from pole to pole, singing as they move.'],
  ['lava', 'Half its face is molten; the other half is cooling for its turn.'],
  ['gas_giant', 'Banded storms above a depth nobody has measured.'],
  ['barren', 'Craters inside craters.'],
  ['toxic', 'Handsome from orbit. Stay there.'],
  ['garden', 'Wild orchards, gone feral since the first settlers left.'],
  ['tomb', 'City grids under the dust; nobody home for a very long time.'],
]

/** [second part of a place's name, after that of its system; description], by kind of place. */
export const PLACES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  moon: [
    ['Lesser', 'A grey moon with one deep scar.'],
    ['Shepherd', 'Keeps the ring dust in its place.'],
    ['Lodger', 'Captured late, still tilted from it.'],
  ],
  belt: [
    ['Shoal', 'A crowded belt where the stones nearly touch.'],
    ['Girdle', 'A wide, slow ring of broken rock.'],
    ['Scatter', 'Thin pickings, except where they are not.'],
    ['Mill', 'Rocks grind on rocks here, day and night.'],
  ],
  ice: [
    ['Rime', 'A field of dirty ice, blue at the fractures.'],
    ['Floe', 'Slabs the size of towns, turning over.'],
    ['Frostfall', 'Snow, where there is no sky for it to fall from.'],
  ],
  cloud: [
    ['Veil', 'A bank of gas lit from within.'],
    ['Plume', 'A torn streamer, still cooling.'],
    ['Breath', 'It swells and shrinks over days, as if asleep.'],
  ],
  nebula: [
    ['Shroud', 'A nebula thick enough to lose a fleet in.'],
    ['Curtain', 'Folds of colour; scanners see only the nearest.'],
  ],
  rock: [
    ['Anvil', 'One great asteroid, veined and much drilled.'],
    ['Stranger', 'It came from outside and is leaving again, slowly.'],
    ['Loaf', 'Round, brown, and full of something.'],
  ],
  core: [
    ['Undercore', 'A shattered planet’s heart, sealed under a kilometre of slag.'],
    ['Deepvein', 'A bore hole someone began and did not come back to.'],
    ['Cold Kiln', 'Dense metal, crushed hot and cooled slow.'],
  ],
  pocket: [
    ['Blind', 'A fold no chart shows, quiet and rich.'],
    ['Lost Acre', 'Found twice, forgotten once.'],
  ],
  debris: [
    ['Wreckfield', 'Hull plates, cargo nets, one boot.'],
    ['Leavings', 'What a battle did not want.'],
  ],
  relic: [
    ['Standing Rings', 'Nine rings of dark metal, none of them touching.'],
    ['Old Door', 'A frame the size of a moon with stars in it, not these ones.'],
    ['Silent Choir', 'Pillars that hum when nobody is transmitting.'],
    ['Cartographer', 'A machine that has been drawing the same map since before the map.'],
  ],
  arena: [['Ring', 'A marked volume, referees’ buoys and a betting shed.']],
}

/** [description, story] of stations, by region; `{name}` is the station, `{system}` its system. */
export const STATIONS: readonly (readonly (readonly [string, string])[])[] = [
  [
    [
      'Terraced rings with brass rails, a court at the top and a fish market at the bottom.',
      'The clerk stamps your papers, then stamps the stamp. “Welcome to {name}. Mind the ' +
        'law; it is everywhere.”',
    ],
    [
      'A white wheel of offices that learned to dock ships.',
      'A choir is rehearsing in the customs hall. Your cargo is weighed twice and your ' +
        'manners once.',
    ],
    [
      'Cut from one asteroid, polished inside, dull outside.',
      'Seven flags hang at {name}, in order of signature. The seventh is always slightly ' +
        'askew, and always has been.',
    ],
  ],
  [
    [
      'A dark spindle wrapped in shields; the windows are mirrors.',
      'No announcements are made at {name}. A slate by the lock says where to go, and thanks ' +
        'you for reading.',
    ],
    [
      'Galleries hung with felt, lamps the colour of dusk.',
      'Someone takes your arm, leads you to the dock office, and leaves without a word. It ' +
        'is considered warm.',
    ],
    [
      'An old generation ship that stopped here and stayed.',
      'The founders’ names are sounded once a year in {system}, in a room where nothing can ' +
        'be heard.',
    ],
  ],
  [
    [
      'Blast doors, gantries and a furnace that has never been out.',
      'The gate sergeant asks what you have sworn. “Nothing yet” is an answer, if you say it ' +
        'standing straight.',
    ],
    [
      'A fortress that rents its cellars to smiths.',
      'Hammers stop at {name} when a ship comes in, just long enough to see whose it is.',
    ],
    [
      'Armour plate outside, soot inside, and very good bread.',
      'Oaths are carved along the main stair. A few have been filled with lead.',
    ],
  ],
  [
    [
      'Stacked docks around a trading floor under glass.',
      'A junior broker meets you at the lock with three offers and an umbrella. The umbrella ' +
        'is also for sale.',
    ],
    [
      'A hundred warehouses and one small chapel to arithmetic.',
      'The board at {name} clicks over; somewhere a crowd groans and another cheers.',
    ],
    [
      'A floating city on pontoons of gas, tethered and taxed.',
      'In {system} they greet you by your credit. They are very pleased, or very kind.',
    ],
  ],
  [
    [
      'Welded hulls around a lamp on a pole.',
      'Someone hands you soup before asking your name. The soup is on the house; the second ' +
        'bowl is not.',
    ],
    [
      'A ranch house with an airlock and a fuel tank out back.',
      'A notice at {name} says who is missing, who is found, and who owes for the pump.',
    ],
    [
      'Half a freighter, half a grain silo, all of it patched.',
      'An old dog inspects your ship and is satisfied. You may stay in {system} as long as ' +
        'you like.',
    ],
  ],
  [
    [
      'A neutral dock with five guard posts, all empty.',
      'At {name} each empire keeps a flagstaff and none keeps a flag.',
    ],
    [
      'A salvage barge that ran out of places to be.',
      'Knives are checked at the door. You are given a better one on the way out.',
    ],
  ],
  [
    [
      'A wax-yellow hull with a thousand lamps, most of them lures.',
      'They leave the lights on at {name} to see what comes.',
    ],
    [
      'Netting, dust filters, and a bar in the old reactor.',
      'The barkeep sweeps grey scales off your shoulder without comment.',
    ],
  ],
  [
    [
      'A buoy tender, grown rooms.',
      'The tide table on the wall of {name} is kept up to date. There is no sea.',
    ],
    [
      'A pier with nothing under it.',
      'Fishermen sit along the edge with their lines in the dark. One has a bite.',
    ],
  ],
  [
    [
      'A prison hulk whose prisoners bought it.',
      'The cells at {name} rent by the night. Yours has a view and a history.',
    ],
    ['Rope walks and smoke.', 'Nobody here has a surname. It saves time.'],
  ],
  [
    [
      'Scrap walls grown over with wire.',
      'You are waved through a gap in the wreckage exactly as wide as your ship. They measured.',
    ],
    ['A hospital ship that never left the battle.', 'The nurses of {name} charge in ammunition.'],
  ],
  [
    [
      'A sales office for a colony that was never built.',
      'The brochure on the counter promises lakes in {system}. The clerk has stopped apologising.',
    ],
    [
      'A bank vault with a dock cut into it.',
      'Everyone at {name} owes everyone else; it keeps them together.',
    ],
  ],
]
