/** Drones: bays, scripts, and what drones do. */
import type { DomainDef } from '../../core/registry.ts'
import {
  deployDrone,
  loadDrone,
  recallDrone,
  setDroneName,
  unloadDrone,
  uploadDroneScript,
} from './commands.ts'
import { rebuildHunters } from './fights-systems.ts'
import { rebuildRoster } from './lifecycle-rules.ts'
import { ownDrones } from './model.ts'
import { getDrone, getDrones } from './queries.ts'
import { droneAdrift, droneDestroyed, droneScan, droneSurvey, droneUpdate } from './schemas.ts'
import { rebuildScripts, rebuildWords } from './script-rules.ts'
import {
  Body,
  DRONES_OF,
  Drone,
  DroneMemo,
  DroneScript,
  DroneWord,
  Squadron,
  Thought,
} from './state.ts'
import { act, arrive, dronesAreSound, engage, mine, report, think } from './systems.ts'

export const droneDomain: DomainDef = {
  name: 'drone',
  references: [ownDrones],
  tables: [Drone, Squadron, Body, DroneScript, DroneWord, DroneMemo, Thought],
  relations: [DRONES_OF],
  commands: [
    loadDrone,
    unloadDrone,
    deployDrone,
    recallDrone,
    uploadDroneScript,
    setDroneName,
    getDrones,
    getDrone,
  ],
  events: [droneUpdate, droneDestroyed, droneAdrift, droneScan, droneSurvey],
  systems: [arrive, engage, think, mine, act, report],
  checks: [dronesAreSound],
  rebuild(world) {
    rebuildWords(world)
    rebuildScripts(world)
    rebuildRoster(world)
    rebuildHunters(world)
  },
}
