// The page plays sounds itself. SDL_InitSubSystem refers to these two functions of SDL; with a definition here, the linker
// leaves the rest of SDL's audio out of the module.
#include <SDL_audio.h>
#include <SDL_error.h>

int SDLCALL SDL_AudioInit(const char* /*driver*/) { return SDL_SetError("this module has no audio"); }
void SDLCALL SDL_AudioQuit() {}
