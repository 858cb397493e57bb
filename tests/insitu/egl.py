"""Whether EGL has a display with OpenGL on this machine, asked apart from the code that is tested. Status 77: it has none.
Part of lbmFoam, GPL-3.0-or-later."""
import ctypes
import sys

CLIENT_APIS, VENDOR, DEVICE = 0x308D, 0x3053, 0x313F  # of EGL's headers
pointer, integer = ctypes.c_void_p, ctypes.c_int


def skip(why):
    print("skipped:", why)
    sys.exit(77)


try:
    egl = ctypes.CDLL("libEGL.so.1")
except OSError as missing:
    skip(missing)


def function(name, result, *arguments):
    """Of EGL or of its extensions; None where there is no such one."""
    address = egl.eglGetProcAddress(name.encode())
    return ctypes.CFUNCTYPE(result, *arguments)(address) if address else None


egl.eglGetProcAddress.restype = pointer
display = ctypes.CFUNCTYPE(pointer, pointer)(("eglGetDisplay", egl))
initialize = ctypes.CFUNCTYPE(integer, pointer, pointer, pointer)(("eglInitialize", egl))
text = ctypes.CFUNCTYPE(ctypes.c_char_p, pointer, integer)(("eglQueryString", egl))
devices = function("eglQueryDevicesEXT", integer, integer, ctypes.POINTER(pointer), ctypes.POINTER(integer))
display_of = function("eglGetPlatformDisplayEXT", pointer, integer, pointer, pointer)

displays = [display(None)]
if devices and display_of:
    found, number = (pointer*64)(), integer()
    if devices(len(found), found, ctypes.byref(number)):
        displays += [display_of(DEVICE, one, None) for one in found[:number.value]]
for one in filter(None, displays):
    if initialize(one, None, None) and b"OpenGL" in text(one, CLIENT_APIS).split():
        print("EGL has OpenGL:", text(one, VENDOR).decode())
        break
else:
    skip(f"none of EGL's {len(displays)} displays has OpenGL")
