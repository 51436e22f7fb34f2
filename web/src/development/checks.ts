// The development build (rule B1): the same classes, with methods replaced by ones that also detect mistakes. So the
// production build contains none of this.
import { checkCopies } from "./copies.js";
import { checkClasses, checkFields } from "./fields.js";
import { checkInboxes } from "./inboxes.js";
import "./init.js"; // so that it is in the file that all entries share
import { checkObservers } from "./observers.js";
import { findPlaces } from "./places.js";
import { checkRows } from "./rows.js";
import { checkSignals } from "./signals.js";
import { checkSystems } from "./systems.js";
import { checkValues } from "./values.js";
import { checkMessages, checkViews } from "./views.js";
import { checkWorlds } from "./worlds.js";

checkCopies();
checkFields();
checkClasses();
checkInboxes();
checkMessages();
checkObservers();
checkRows();
checkSignals();
checkSystems();
checkValues();
checkViews();
checkWorlds();
findPlaces(); // after those that replace what fields take
