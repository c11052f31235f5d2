/**
 * Releases of this server as `get_version` tells them, newest first. CHANGELOG.md is the long form
 * of the same rows.
 */
import { deepFreeze } from './freeze.ts'

/** Interface release that this server speaks: what clients compare and `welcome` carries. */
export const VERSION = '0.599.5'

export interface ReleaseRow {
  /** Interface release. */
  readonly version: string
  /** Release of this server. */
  readonly release: string
  /** YYYY-MM-DD */
  readonly release_date: string
  readonly notes: readonly string[]
}

export const RELEASES: readonly ReleaseRow[] = deepFreeze([
  {
    version: VERSION,
    release: '0.11.0',
    release_date: '2026-11-28',
    notes: [
      'Release 0.11.0: refusals that name the next step, and a server that starts in half the time.',
      'A refusal of a missing or malformed parameter says what the parameter is for; others name the goods, the module, the place or the hop that is wanted.',
      'Status and help tell the detained, the stranded and pilots far from home what to do next.',
      '`craft` accepts a good in place of the recipe that makes it.',
      'A package that never fitted into the hold can be returned to its shipper out of storage.',
      'Mission boards show how far away the goal is: `jumps`.',
      'Lists of freight show rewards and deadlines in their text.',
      'Guides tell of wormholes, citizenship, calls for help and the size of a package.',
      'Facilities sold far from their worth, and ships sold to an order far below theirs, count as gifts.',
      'Insurance, fares aboard and freight pay that a full wallet cannot take are lost, and your log says so.',
      'A subscription sent while your login is being restored is refused: subscribe again in a moment.',
      'Remote systems with few police hold rare ore more often, and small mining hulls dig faster.',
      'Cruise ships of tier 3 have two berths in first class, not three.',
      'At the edge of an empire, pairs of pirate scouts are rarer.',
      'A repair names each kind of kit it used.',
    ],
  },
  {
    version: VERSION,
    release: '0.10.0',
    release_date: '2026-11-27',
    notes: [
      'Release 0.10.0: the past of the live page, tick by tick.',
      'The live page shows every tick of the last days, not only every sixtieth.',
      '`/api/history/{tick}` answers with that tick, and `/api/history/{tick}/steps` with all up to the next whole frame.',
      'One address may send 1,000 requests at once without a login, not 4,000; 2,000 a second, as before.',
      'Summaries, refusals and help are reworded: they say more plainly what a command does and what to do next.',
    ],
  },
  {
    version: VERSION,
    release: '0.9.0',
    release_date: '2026-11-27',
    notes: [
      'Release 0.9.0: queries that wait for nothing, gateways that may lead, and a past that loses no tick.',
      'Queries no longer wait while the world checks its books or takes a hash, nor while a gateway follows a tick.',
      'Limits that count by player count what they do at all gateways.',
    ],
  },
  {
    version: VERSION,
    release: '0.8.0',
    release_date: '2026-11-27',
    notes: [
      'Release 0.8.0: a world that survives its leader, forks of any tick, and disputes that are settled by replay.',
      'Players receive `operator_correction` when an operator has put something of theirs right.',
      'Fields near capitals are a little leaner, and rare ore outside them is a little rarer.',
      'Cruise ships of tier 3 have three berths in first class, not four.',
      'A faction that is not found is named without the prefix `faction:`.',
      'Ships say how they are manned: berths of hull and modules, what the crew makes of them, when the injured are up again.',
      'The base where you are docked says what its repairs lack, and whether it buys that now.',
      'Docking lists gifts, parked ships, hulls being built and facilities.',
      'Fighters of an arena that are knocked out stay in view until their match is over.',
      'Refusals say bounds in words: "at most 100 items".',
    ],
  },
  {
    version: VERSION,
    release: '0.7.0',
    release_date: '2026-11-27',
    notes: [
      'Release 0.7.0: one world with many doors, a past that answers questions, and crafting lines that do not run dry.',
      'Capitals keep more of what their large lines take and make, and send convoys for what they lack sooner.',
      'What only one empire has gains less with each jump from its border.',
      'Fields near capitals hold a little more; stations elsewhere buy less raw ore.',
      'Work at a bench trains by the worth of what it makes, a third less than before.',
      'Boards of the public page list everyone who belongs on them, however many have a value.',
    ],
  },
  {
    version: VERSION,
    release: '0.6.0',
    release_date: '2026-11-27',
    notes: [
      'Release 0.6.0: larger markets that pay all day, a map of what your players know, and a page that a large world does not slow down.',
      'Stations use up what they import twice as fast and make half as much again in a cycle; they have larger purses, and capitals have deeper shelves.',
      'Fields near capitals hold less of what is uncommon.',
      'A new world begins with fewer passengers waiting; more set out by the hour, and they earn more.',
      'Holders of an account see where their players are and what those and their factions know: `GET /api/intel-map` and the page at `/intel`.',
      '`SPECTATOR_NAMES=off` names nobody in battles, their logs, the feed and past frames.',
      '`get_action_log` says where a jump began (`from_system_id`).',
    ],
  },
  {
    version: VERSION,
    release: '0.5.0',
    release_date: '2026-11-26',
    notes: [
      'Release 0.5.0: a live page at `/`, to watch the galaxy, follow its battles, read its markets and play by hand, and questions that wait for no tick.',
      'What strangers read is two ticks old, of charted places, and of named pilots who do not hide; `SPECTATOR_NAMES=off` leaves out who is where.',
      'Queries are answered while a tick is computed: an answer may see part of it, and is of one moment.',
      'Stations use up what their works ask for, capitals feed their lines, and dear goods find buyers in number.',
      'Large mining hulls dig as much as their lasers do, starter belts are leaner, charts pay more and errands differ more in size.',
      'An escort is paid for a convoy that arrives with something aboard.',
      '`craft` and `recycle` take an item in place of a recipe where only one makes it; `estimate_purchase` stops at the price at which you may buy.',
    ],
  },
  {
    version: VERSION,
    release: '0.4.0',
    release_date: '2026-11-25',
    notes: [
      'Release 0.4.0: convoys to escort or to rob, yards that tell salvagers where to look, trades that still pay after a day, and answers that wait for no log.',
      'Convoys: freighters with guards bring essentials to capitals. `get_news` and `view_market` list them, their captains ask for company, and what is aboard a lost one lies in its wreck.',
      'Salvage yards tell of derelicts within six jumps, heavier the deeper they drift; `get_wrecks` says which your ship can tow.',
      'Charts go stale after six hours: a system surveyed anew pays again, and more for a sharper scanner.',
      'Cheap goods lie in heaps that fill the largest hold, errands come in seven sizes, and citizens travel first class in households.',
      'What stations ask for and give away follows the hours that players act, counted each hour.',
      'A price far from what a thing is worth counts as a gift, and is bounded as one.',
      'Answers name the next step, the law on a route, what lies in the hold, and more ways out.',
    ],
  },
  {
    version: VERSION,
    release: '0.3.0',
    release_date: '2026-11-25',
    notes: [
      'Release 0.3.0: starts at once on any current Node, shows an operator what it does, and keeps a world in which every career pays for its hour.',
      'Stations live on what is there: works make what runs short, citizens buy what they use, convoys bring essentials to capitals.',
      'Wormholes: one-way paths that open between far systems, are found by survey, flown by `jump`, and collapse.',
      'Seasons: ten kinds of events, from an ore rush to a pirate king, that move demand, supply, travellers and bounties of a region.',
      '`find_item` tells where you, or your faction, have seen an item, an ore or a hull.',
      'New pilots of each empire are taught in eight steps, all within one jump of home.',
      'Packs of pirates grow as police thin; bounties are split by damage; prey that escapes is no victory.',
    ],
  },
  {
    version: VERSION,
    release: '0.2.0',
    release_date: '2026-11-23',
    notes: [
      'Release 0.2.0: the wire bounded against every stranger, answers that every client reads, and what later releases of the interface added.',
      'Shown names are taken wherever ids are: the exact name first, then a beginning that only one has; a base and its place are one.',
      'Errors say in their sentence what is missing, how much of it, and the way out; commands are named as the version in use calls them.',
      'A typing error costs no docking: arguments are judged before the ship moves. Looks are never refused under way.',
      'Over HTTP and MCP a second mutation waits behind the first; whoever is logged in is slowed where others are refused.',
      'A full queue of notifications drops the least important first and says how many; yields of one source are one entry.',
      'Ice fields are places of their own type.',
      'Distress calls are missions that one pilot claims; collections say what they paid, a delivery counts where it is handed in.',
      'Unarmed hulls and prizes can be boarded; boardings, pursuits and sieges that get ahead are not cut off; wrecked stations leave debris.',
      '`reload` takes several weapons at once; mates may refuel and repair a prize; armed stations of factions join the fights of their members.',
      'Crews in reserve at the stores of a faction (`faction_personnel`), bounties paid from anywhere (`pay_bounty`), bounties set by factions.',
      'Gifts of ships and to stations over both versions; packages in the stores of factions; statements of the last tax period.',
      '`get_version` lists under `also_speaks` what of later releases is spoken.',
    ],
  },
  {
    version: VERSION,
    release: '0.1.0',
    release_date: '2026-11-21',
    notes: [
      'First release of this server, 0.1.0, for the interface of release 0.599.5.',
      'A galaxy made from a seed: systems, lanes, belts, ice fields, clouds and stations of five empires and of lawless space.',
      'Register or log in over WebSocket, HTTP or MCP; versions 1 and 2 of each reach the same commands.',
      'Fly: travel, jump, find_route, dock and undock; refuel and repair at stations or from your own hold.',
      'Mine ore, ice and gas; deposits thin out and grow back.',
      'Trade with station exchanges: view_market, estimate_purchase, buy and sell, with fees and taxes of the empire.',
      'Place limit orders, change and cancel them one by one or in bulk; `subscribe_market` tells each change.',
      'Fight: rings, stances, a damage pipeline of thirteen stages, tackle, flight and emergency devices; ships whose pilot is gone fight on for a while.',
      'The law: attacks where police fly are crimes, with bounty, warrant, police drones, customs and detention; `get_empire_info` tells the policies of each empire.',
      'Pirates of three strengths, bosses and strongholds with their radio; stations can be attacked, wrecked and mended; ships of the empires on patrol.',
      'Creatures of 25 kinds and more, herds and apex predators; `hunt` fights one of them apart from everyone else.',
      'Crews: recruit, transfer and treat; boarding from request to capture or plunder; claim a prize and have it fly home.',
      'Arena: challenge a player, or one of twenty programmes with their own rules, waves and objectives; all is restored afterwards.',
      'Wrecks: loot, tow, sell and scrap them; insurance, home base, and what a death costs.',
      'Drones of five types that run scripts of your own: `get_guide` prints thirteen that work.',
      'Sense: scan, sweep, cloak, survey for hidden places, `subscribe_observation`; nothing tells of who hides.',
      '`get_battle_log` shows every stage of every hit; `battle_update` tells each participant the battle every tick.',
      'Everything on the exchange: bulk forms, orders of factions and their private company stores, who may see what; taxes are assessed week by week and can be paid ahead.',
      'Trade with each other: offer, accept, decline, cancel; send goods, credits and ships as gifts; seal goods into packages that trade and travel as one.',
      'Make things: 630 recipes from ore to hull, in workshops and facilities, with queues, quotes and dry runs; recycle what you no longer need.',
      'Build facilities: quarters, works, shops, stores of factions; let others use them for a price; they draw power and air, and rent falls due.',
      'Ships: fit and refit, switch, name, scrap; have hulls built to order, sell and buy them, ask for one at a price.',
      'Factions: found one, invite, give roles and permissions; a treasury, stores with buckets, a bunker.',
      "Fleets: travel, dock and fight together; ride as a passenger in a mate's ship.",
      'War, peace, alliances and enemies of factions; notice before the law looks away; allies join battles and may share fuel, facilities and intelligence.',
      'Stations and outposts of factions: found them, name them, say who docks, who is served and at what price; rooms to read in, garages, lounges.',
      'Intelligence: what your faction knows of systems and prices, sensors, espionage.',
      'Missions: 120 and more templates, chains, collections that many give to; factions post their own; distress calls bring help.',
      'Freight and passengers: contracts with deposits, insurance and deadlines; fares, berths and lounges.',
      'Achievements, open and secret, of players and of factions; citizenship of the five empires.',
      'Notes that are carried, traded and read; a forum; an action log of everything that happened to you; petitions to empires.',
      'Keep goods in a locker at any base with storage, or jettison them.',
      "Talk in system, local and private chat; keep a captain's log; mute what you do not want to hear.",
      'Look things up: catalog, inspect, help, get_guide.',
      'Accounts: registration codes, login tokens, links that a person approves on a page, API keys; without an identity provider the server issues its own tokens.',
      'MCP in revisions 2025-11-25 and 2026-07-28; all commands, events, errors and both protocols explained at /docs.',
      'When there is more to do than fits a tick, ticks become longer for all alike, and everyone is told.',
      'Everything answered is durable: the world is rebuilt from its journal after a crash, to the same bytes.',
    ],
  },
])
