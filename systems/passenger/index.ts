/** Passengers: people who wait at bases, travel in berths or sit in lounges, and what they pay. */
import type { DomainDef } from '../../core/registry.ts'
import {
  listPassengers,
  listStationPassengers,
  loadPassenger,
  unloadPassenger,
} from './commands.ts'
import { openTerminals } from './market-rules.ts'
import { rebuildPassengers } from './rules.ts'
import { Cabin, Lounge, Passenger, Terminal } from './state.ts'
import {
  faresHold,
  moveMarkets,
  passengersHold,
  remindPassengers,
  servePassengers,
} from './systems.ts'

export const passengerDomain: DomainDef = {
  name: 'passenger',
  tables: [Passenger, Terminal, Cabin, Lounge],
  commands: [listStationPassengers, listPassengers, loadPassenger, unloadPassenger],
  systems: [remindPassengers, servePassengers, moveMarkets],
  checks: [passengersHold, faresHold],
  genesis: openTerminals,
  rebuild: rebuildPassengers,
}
